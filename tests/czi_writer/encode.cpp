// The data of sub-blocks: pixels in every compression of CZI files that this project reads.
// SPDX-License-Identifier: Apache-2.0
#include "czi_writer/encode.h"

#include <zstd.h>

#include <algorithm>
#include <stdexcept>

#include "czi_writer/pixels.h"
#include "jxrlib/jxrlib.h"

namespace sluice::test {
namespace {

using Buffer = std::vector<std::byte>;

/// The file's order of colours, B, G, R.
void swap_colours(Tile const& tile, Buffer& pixels) {
    Kind const kind = kind_of(tile.pixel_type);
    if (kind.samples == 1) return;
    auto const size = static_cast<std::size_t>(kind.bytes());
    for (std::size_t at = 0; at < pixels.size(); at += size)
        std::swap_ranges(pixels.data() + at, pixels.data() + at + kind.sample_bytes,
                         pixels.data() + at + 2 * kind.sample_bytes);
}

Buffer split_hi_lo(Buffer const& pixels) {
    Buffer packed(pixels.size());
    std::size_t const half = pixels.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        packed[i] = pixels[2 * i];
        packed[half + i] = pixels[2 * i + 1];
    }
    if (pixels.size() % 2 == 1) packed.back() = pixels.back();
    return packed;
}

Buffer encode_zstd(Tile const& tile, Buffer const& pixels, Buffer out) {
    std::size_t const head = out.size(), bound = ZSTD_compressBound(pixels.size());
    out.resize(head + bound);
    std::size_t const size =
        ZSTD_compress(out.data() + head, bound, pixels.data(), pixels.size(), tile.zstd_level);
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    out.resize(head + size);
    return out;
}

Buffer encode_zstd1(Tile const& tile, Buffer const& pixels) {
    bool const wide = kind_of(tile.pixel_type).sample_bytes == 2;
    if (!wide) return encode_zstd(tile, pixels, {std::byte{1}});
    std::byte const hi_lo{tile.hi_lo};
    return encode_zstd(tile, tile.hi_lo ? split_hi_lo(pixels) : pixels,
                       {std::byte{3}, std::byte{1}, hi_lo});
}

Buffer encode_jpeg_xr(Tile const& tile, Buffer pixels) {
    using jxrlib::Pixels;
    auto as = Pixels::gray8;
    switch (tile.pixel_type) {
        case slide::PixelType::gray8:
            break;
        case slide::PixelType::gray16:
            as = Pixels::gray16;
            break;
        case slide::PixelType::gray32_float:
            as = Pixels::gray_float;
            break;
        case slide::PixelType::bgr24:
            as = Pixels::bgr24;
            swap_colours(tile, pixels);
            break;
        case slide::PixelType::bgr48:
            as = Pixels::rgb48;
            break;
        case slide::PixelType::bgra32:
            as = Pixels::bgra32;
            swap_colours(tile, pixels);
            break;
        case slide::PixelType::bgr96_float:
            as = Pixels::rgb_float96;
            break;
        default:
            throw std::runtime_error("JPEG XR has no such pixel type");
    }
    jxrlib::Settings settings;
    settings.quality = tile.quality;
    auto file = jxrlib::encode(pixels, tile.width(), tile.height(), as, settings);
    if (!file) throw std::runtime_error("libjxr refuses to write this tile");
    return *std::move(file);
}

}  // namespace

index raw_bytes(Tile const& tile) {
    return tile.plane_count() * tile.width() * tile.height() * kind_of(tile.pixel_type).bytes();
}

std::vector<std::byte> encode_tile(Tile const& tile) {
    if (tile.data) return *tile.data;
    Buffer pixels(static_cast<std::size_t>(raw_bytes(tile)));
    if (tile.paint) tile.paint(tile, pixels);
    if (tile.compression == czi::Compression::jpeg_xr)
        return encode_jpeg_xr(tile, std::move(pixels));
    if (tile.compression == czi::Compression::jpeg)
        return encode_jpeg(pixels, tile.width(), tile.height(),
                           static_cast<int>(kind_of(tile.pixel_type).samples), tile.quality);
    swap_colours(tile, pixels);
    switch (tile.compression) {
        case czi::Compression::lzw:
            return encode_lzw(pixels);
        case czi::Compression::zstd0:
            return encode_zstd(tile, pixels, {});
        case czi::Compression::zstd1:
            return encode_zstd1(tile, pixels);
        default:
            return pixels;
    }
}

}  // namespace sluice::test

// Decoding tiles by each of the compressions of CZI.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/czi/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "codec/hilo/hilo.h"
#include "codec/jpeg/jpeg.h"
#include "codec/jxr/jxr.h"
#include "codec/lzw/lzw.h"
#include "codec/zstd/zstd.h"

namespace sluice::slide {
namespace {

using czi::Compression;

// No codec here makes more of a byte than this; data that claim to are damaged or hostile.
constexpr std::uint64_t most_expansion = 65536;
constexpr std::uint64_t always_allowed = std::uint64_t{16} << 20;
// Of several planes in one tile, which hold an image each.
constexpr std::uint64_t most_of_planes = 256;
// A code of LZW has 12 bits and stands for less than 4096 bytes.
constexpr std::uint64_t most_of_lzw = 4096;

struct Sizes {
    std::uint64_t pixels = 1, bytes = 1;  ///< of all planes of the entry
};

Result<Sizes> sizes_of(czi::Entry const& e) {
    if (!known(e.pixel_type))
        return Error{Code::unsupported,
                     fmt::format("pixel type {} is not known", static_cast<int>(e.pixel_type))};
    Sizes s;
    // Sides are 31 bits each, so that only more factors can overflow.
    std::uint64_t const sides[] = {static_cast<std::uint64_t>(e.stored_width),
                                   static_cast<std::uint64_t>(e.stored_height)};
    s.pixels = sides[0] * sides[1];
    for (std::int32_t const n : e.size)
        if (__builtin_mul_overflow(s.pixels, static_cast<std::uint64_t>(n), &s.pixels))
            return Error{Code::corrupt, "it has more pixels than can be counted"};
    if (__builtin_mul_overflow(s.pixels, static_cast<std::uint64_t>(format_of(e.pixel_type).bytes),
                               &s.bytes) ||
        s.bytes > std::uint64_t{1} << 46)
        return Error{Code::corrupt, "it has more pixels than can be counted"};
    return s;
}

Status check_expansion(std::uint64_t bytes, std::uint64_t data,
                       std::uint64_t most = most_expansion) {
    if (bytes <= always_allowed || bytes / most <= data) return {};
    return Error{
        Code::corrupt,
        fmt::format("{} bytes of pixels cannot come out of {} bytes of data", bytes, data)};
}

// ZEN writes the last row or column of a pyramid's tile with half a pixel less than it says.
index rounding(Tile const& tile) {
    return tile.level > 0 ? 1 : 0;
}

Status check_sides(czi::Entry const& e, Tile const& tile, index width, index height) {
    index const most = rounding(tile);
    if (std::abs(width - e.stored_width) <= most && std::abs(height - e.stored_height) <= most)
        return {};
    return Error{Code::corrupt, fmt::format("its data hold {} x {} pixels (the directory says {} x "
                                            "{})",
                                            width, height, e.stored_width, e.stored_height)};
}

// Whether there are as many bytes as the pixels need; the last row of one plane may be missing.
Status check_bytes(czi::Entry const& e, Tile const& tile, std::uint64_t there, std::uint64_t want) {
    auto const row = static_cast<std::uint64_t>(e.stored_width) *
                     static_cast<std::uint64_t>(format_of(e.pixel_type).bytes);
    if (there == want) return {};
    bool const single = want == row * static_cast<std::uint64_t>(e.stored_height);
    if (rounding(tile) > 0 && single && there > 0 && there + row == want) return {};
    return Error{Code::corrupt,
                 fmt::format("its data hold {} bytes of pixels (its size needs {})", there, want)};
}

// Rows of the stored width that are complete, and what is behind them left out.
Pixels rows_in(czi::Entry const& e, Bytes bytes) {
    Pixels p;
    p.format = format_of(e.pixel_type);
    p.bytes = bytes;
    p.bgr = p.format.samples > 1;
    p.width = e.stored_width;
    p.pixel_stride = p.format.bytes;
    p.row_stride = e.stored_width * p.format.bytes;
    p.height = std::min(e.stored_height, static_cast<index>(bytes.size()) / p.row_stride);
    return p;
}

Result<Pixels> decode_zstd(czi::Entry const& e, Tile const& tile, Bytes data, Buffer& out,
                           std::uint64_t want) {
    codec::Zstd1Header header;
    if (e.compression == Compression::zstd1) {
        SLUICE_TRY(header, codec::parse_zstd1(data));
        data = data.subspan(header.size);
    }
    SLUICE_TRY(std::uint64_t const size, codec::zstd_content_size(data));
    SLUICE_CHECK(check_expansion(size, data.size()));
    SLUICE_CHECK(check_bytes(e, tile, size, want));
    std::span<std::byte> const to(out.reserve(size), size);
    SLUICE_CHECK(codec::zstd_decompress(data, to));
    bool const whole = size == want;
    bool const wide = size_of(format_of(e.pixel_type).sample) == 2;
    bool const single = want == static_cast<std::uint64_t>(e.stored_width * e.stored_height) *
                                    static_cast<std::uint64_t>(format_of(e.pixel_type).bytes);
    if (header.hi_lo && wide && !(whole && single)) {
        // Seldom: a buffer of another size than its pixels is put together first.
        Buffer mixed(size);
        codec::unpack_hilo(to, 0, mixed.span());
        std::memcpy(out.data(), mixed.data(), size);
        header.hi_lo = false;
    }
    if (header.hi_lo && !wide)
        return Error{Code::unsupported,
                     fmt::format("it stores low and high bytes apart in pixels of {}",
                                 name_of(e.pixel_type))};
    if (header.hi_lo) {
        Pixels p = rows_in(e, to);
        p.hi_lo = true;
        return p;
    }
    return plain_pixels(e, tile, to);
}

Result<Pixels> decode_jpeg(czi::Entry const& e, Tile const& tile, Bytes data, Buffer& out) {
    SLUICE_TRY(codec::JpegInfo const info, codec::jpeg_inspect(data));
    Pixels p;
    p.format = format_of(e.pixel_type);
    if (p.format.sample != DType::u8 || p.format.samples != info.samples)
        return Error{Code::corrupt,
                     fmt::format("a JPEG file of {} x 8 bits does not hold {} pixels", info.samples,
                                 name_of(e.pixel_type))};
    std::uint64_t const bytes = static_cast<std::uint64_t>(info.width) *
                                static_cast<std::uint64_t>(info.height) *
                                static_cast<std::uint64_t>(info.samples);
    SLUICE_CHECK(check_sides(e, tile, info.width, info.height));
    SLUICE_CHECK(check_expansion(bytes, data.size()));
    std::span<std::byte> const to(out.reserve(bytes), bytes);
    SLUICE_CHECK(codec::jpeg_decode(data, to));
    p.bytes = to;
    p.width = info.width;
    p.height = info.height;
    p.pixel_stride = p.format.bytes;
    p.row_stride = info.width * p.format.bytes;
    return p;
}

Result<Pixels> decode_jxr(czi::Entry const& e, Tile const& tile, Bytes data, int reduction,
                          Buffer& out) {
    SLUICE_TRY(codec::JxrInfo const info, codec::jxr_inspect(data));
    Pixels p;
    p.format = format_of(e.pixel_type);
    if (info.sample != p.format.sample || info.samples != p.format.samples)
        return Error{Code::corrupt,
                     fmt::format("a JPEG XR file of {} samples of {} bytes does not hold {} pixels",
                                 info.samples, size_of(info.sample), name_of(e.pixel_type))};
    SLUICE_CHECK(check_sides(e, tile, info.width, info.height));
    p.width = reduced(info.width, reduction);
    p.height = reduced(info.height, reduction);
    std::uint64_t const bytes = static_cast<std::uint64_t>(p.width) *
                                static_cast<std::uint64_t>(p.height) *
                                static_cast<std::uint64_t>(p.format.bytes);
    SLUICE_CHECK(check_expansion(bytes, data.size()));
    std::span<std::byte> const to(out.reserve(bytes), bytes);
    // The fourth sample is treated as that of other compressions.
    p.bgr = p.format.samples == 4;
    SLUICE_CHECK(codec::jxr_decode(data, {reduction, !p.bgr}, to));
    p.bytes = to;
    p.pixel_stride = p.format.bytes;
    p.row_stride = p.width * p.format.bytes;
    return p;
}

// These have no coarse bands: every so many pixels.
Pixels thinned(Pixels p, int reduction) {
    p.width = reduced(p.width, reduction);
    p.height = reduced(p.height, reduction);
    p.pixel_stride *= reduction;
    p.row_stride *= reduction;
    return p;
}

bool is_jxr(Bytes data) {
    return data.size() >= 4 && data[0] == std::byte{'I'} && data[1] == std::byte{'I'} &&
           data[2] == std::byte{0xbc};
}

}  // namespace

bool is_plain(czi::Entry const& entry) {
    return entry.compression == Compression::none && known(entry.pixel_type) &&
           entry.size == PlaneIndex{1, 1, 1, 1, 1, 1, 1, 1};
}

Result<Pixels> plain_pixels(czi::Entry const& e, Tile const& tile, Bytes data) {
    SLUICE_TRY(Sizes const all, sizes_of(e));
    SLUICE_CHECK(check_bytes(e, tile, data.size(), all.bytes));
    Pixels p = rows_in(e, data);
    if (all.pixels == static_cast<std::uint64_t>(e.stored_width * e.stored_height)) return p;
    // Several planes: the first dimension of the entry runs fastest.
    index stride = p.format.bytes;
    p.first = 0;
    for (char const letter : e.order) {
        if (letter == 'X') {
            p.pixel_stride = stride;
            stride *= e.stored_width;
        } else if (letter == 'Y') {
            p.row_stride = stride;
            stride *= e.stored_height;
        } else if (std::size_t const d = dimension_letters.find(letter);
                   letter != '\0' && d != std::string_view::npos) {
            p.first += (tile.at[d] - e.start[d]) * stride;
            stride *= e.size[d];
        }
    }
    if (static_cast<std::uint64_t>(stride) != all.bytes)
        return Error{Code::unsupported, "it has more dimensions than the reader supports"};
    p.height = e.stored_height;
    return p;
}

Status check_size(czi::Entry const& entry, std::uint64_t data_size) {
    SLUICE_TRY(Sizes const all, sizes_of(entry));
    // A tile of a pyramid may lack its last row.
    if (entry.compression == Compression::none) return check_expansion(all.bytes, data_size, 2);
    return check_expansion(all.bytes, data_size,
                           entry.compression == Compression::lzw ? most_of_lzw : most_expansion);
}

Status check_claim(czi::Entry const& e, Tile const& tile, Bytes data) {
    SLUICE_TRY(Sizes const all, sizes_of(e));
    switch (e.compression) {
        case Compression::zstd0:
        case Compression::zstd1: {
            codec::Zstd1Header header;
            if (e.compression == Compression::zstd1) {
                SLUICE_TRY(header, codec::parse_zstd1(data));
            }
            SLUICE_TRY(std::uint64_t const size,
                       codec::zstd_content_size(data.subspan(header.size)));
            return check_bytes(e, tile, size, all.bytes);
        }
        case Compression::jpeg: {
            SLUICE_TRY(codec::JpegInfo const info, codec::jpeg_inspect(data));
            return check_sides(e, tile, info.width, info.height);
        }
        case Compression::jpeg_xr: {
            if (!is_jxr(data)) return check_bytes(e, tile, data.size(), all.bytes);
            SLUICE_TRY(codec::JxrInfo const info, codec::jxr_inspect(data));
            return check_sides(e, tile, info.width, info.height);
        }
        default:
            return {};
    }
}

Result<Pixels> decode(czi::Entry const& e, Tile const& tile, Bytes data, int reduction,
                      Buffer& out) {
    SLUICE_TRY(Sizes const all, sizes_of(e));
    if (e.compression != Compression::none && data.empty())
        return Error{Code::corrupt, "its sub-block has no data"};
    bool const single = all.pixels == static_cast<std::uint64_t>(e.stored_width * e.stored_height);
    // All planes are decoded for each of them.
    if (!single) SLUICE_CHECK(check_expansion(all.bytes, data.size(), most_of_planes));
    switch (e.compression) {
        case Compression::none:
            SLUICE_CHECK(check_expansion(all.bytes, data.size()));
            return plain_pixels(e, tile, data);
        case Compression::zstd0:
        case Compression::zstd1:
            return decode_zstd(e, tile, data, out, all.bytes);
        case Compression::lzw: {
            SLUICE_CHECK(check_expansion(all.bytes, data.size(), most_of_lzw));
            std::span<std::byte> const to(out.reserve(all.bytes), all.bytes);
            SLUICE_CHECK(codec::lzw_decompress(data, to));
            return plain_pixels(e, tile, to);
        }
        case Compression::jpeg:
            if (single) return decode_jpeg(e, tile, data, out);
            break;
        case Compression::jpeg_xr:
            // Some writers label raw pixels so (czifile, Bio-Formats and ZEN read them, too).
            if (!is_jxr(data) && data.size() == all.bytes) {
                SLUICE_TRY(Pixels const raw, plain_pixels(e, tile, data));
                return thinned(raw, reduction);
            }
            if (single) return decode_jxr(e, tile, data, reduction, out);
            break;
        default:
            return Error{Code::unsupported,
                         fmt::format("compression {} is not known; save the file with another one",
                                     static_cast<int>(e.compression))};
    }
    return Error{Code::unsupported,
                 fmt::format("it holds several planes in one tile of {}", name_of(e.compression))};
}

}  // namespace sluice::slide

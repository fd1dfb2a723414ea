// The values of a stored frame.
// SPDX-License-Identifier: Apache-2.0
#include "format/decode_frame.h"

#include <fmt/format.h>

#include <cstring>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "codec/rowplanes/row_planes.h"
#include "device/isa.h"

namespace sluice {
namespace {

/// One value everywhere; zeros if there is none.
void fill(Bytes value, std::span<std::byte> values) {
    if (value.empty()) {
        std::memset(values.data(), 0, values.size());
        return;
    }
    expects(values.size() % value.size() == 0);
    for (std::size_t i = 0; i < values.size(); i += value.size())
        std::memcpy(values.data() + i, value.data(), value.size());
}

Status has_size(EncodedFrame const& frame, std::size_t size) {
    if (frame.bytes.size() == size) return {};
    return Error{Code::corrupt,
                 fmt::format("frame of {} bytes where its shape needs {}; the file is damaged",
                             frame.bytes.size(), size),
                 {},
                 0};
}

// The pixels are made for one frame at a time: those of a scan would take far more than its hits.
template <class Pixel>
Status count_hits(Bytes hits, FrameSize size, std::span<std::byte> values) {
    auto const wrong = [](std::string what) {
        return Error{Code::corrupt, std::move(what), {}, 0};
    };
    if (size.pixel_bytes != 2 || hits.size() % sizeof(Pixel) != 0)
        return wrong(
            fmt::format("{} bytes of hits, for pixels of {} (a hit has {} bytes, and a "
                        "pixel 2)",
                        hits.size(), size.pixel_bytes, sizeof(Pixel)));
    std::memset(values.data(), 0, values.size());
    auto const pixels = static_cast<std::size_t>(size.rows * size.cols);
    for (std::size_t i = 0; i < hits.size(); i += sizeof(Pixel)) {
        Pixel pixel = 0;
        std::uint16_t count = 0;
        std::memcpy(&pixel, hits.data() + i, sizeof(Pixel));
        if (pixel >= pixels)
            return wrong(fmt::format("a hit in pixel {} of {}x{}", pixel, size.rows, size.cols));
        std::byte* const at = values.data() + std::size_t{2} * pixel;
        std::memcpy(&count, at, 2);
        if (++count == 0)
            return wrong(
                fmt::format("over 65535 hits in pixel {} (they are counted as uint16)", pixel));
        std::memcpy(at, &count, 2);
    }
    return {};
}

}  // namespace

Status decode_frame(EncodedFrame const& frame, FrameSize size, std::span<std::byte> values) {
    using codec::Compression;
    int const element = frame.shuffled_bytes != 0 ? frame.shuffled_bytes : size.pixel_bytes;
    switch (frame.encoding) {
        case Encoding::missing:
            fill(frame.bytes, values);
            return {};
        case Encoding::values:
            SLUICE_CHECK(has_size(frame, values.size()));
            std::memcpy(values.data(), frame.bytes.data(), values.size());
            return {};
        case Encoding::big_endian:
            SLUICE_CHECK(has_size(frame, values.size()));
            convert_values({.bytes = size.pixel_bytes, .big_endian = true}, frame.bytes,
                           values.data());
            return {};
        case Encoding::medipix:
            return codec::decode_medipix(frame.bytes, frame.medipix, size.rows, size.cols, values);
        case Encoding::hits:
            return count_hits<std::uint16_t>(frame.bytes, size, values);
        case Encoding::wide_hits:
            return count_hits<std::uint32_t>(frame.bytes, size, values);
        case Encoding::row_planes:
            return codec::unpack_row_planes(frame.bytes, {size.rows, size.cols, size.pixel_bytes},
                                            chosen_isa(), values);
        case Encoding::lz4_block:
            return codec::lz4_decompress(frame.bytes, values);
        case Encoding::lz4:
            return codec::decode_lz4(frame.bytes, values);
        case Encoding::bitshuffle:
            return codec::decode_bitshuffle(frame.bytes, Compression::none, element, values,
                                            frame.block_elements);
        case Encoding::bitshuffle_lz4:
            return codec::decode_bitshuffle(frame.bytes, Compression::lz4, element, values);
        case Encoding::bitshuffle_zstd:
            return codec::decode_bitshuffle(frame.bytes, Compression::zstd, element, values);
    }
    return {};
}

}  // namespace sluice

// The values of a stored frame.
// SPDX-License-Identifier: Apache-2.0
#include "format/decode_frame.h"

#include <fmt/format.h>

#include <cstring>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"

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

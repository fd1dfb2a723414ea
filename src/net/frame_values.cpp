// The values of a frame that came, decoded.
// SPDX-License-Identifier: Apache-2.0
#include "net/frame_values.h"

#include <algorithm>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "device/isa.h"

namespace sluice::net {

using codec::Compression;

Status frame_values(EncodedFrame const& frame, FrameSize size, std::span<std::byte> values) {
    int const pixel = size.pixel_bytes;
    int const element = frame.shuffled_bytes != 0 ? frame.shuffled_bytes : pixel;
    switch (frame.encoding) {
        case Encoding::missing:
            return {};
        case Encoding::values:
            if (frame.bytes.size() != values.size())
                return Error{Code::corrupt, "a frame of another size"};
            std::ranges::copy(frame.bytes, values.begin());
            return {};
        case Encoding::big_endian:
            if (frame.bytes.size() != values.size())
                return Error{Code::corrupt, "a frame of another size"};
            convert_values({.bytes = pixel, .big_endian = true}, frame.bytes, values.data());
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

Status check_frame(EncodedFrame const& frame, FrameSize size, std::vector<std::byte>& room) {
    if (frame.encoding != Encoding::bitshuffle_lz4) {
        room.resize(size.bytes());
        return frame_values(frame, size, room);
    }
    int const element = frame.shuffled_bytes != 0 ? frame.shuffled_bytes : size.pixel_bytes;
    index const elements = static_cast<index>(size.bytes()) / element;
    SLUICE_TRY(codec::BlockWalk walk,
               codec::BlockWalk::begin(frame.bytes, Compression::lz4, elements, element));
    room.resize(static_cast<std::size_t>(std::min(walk.block_elements(), elements) * element) +
                codec::planes_slack);
    while (!walk.done()) {
        SLUICE_TRY(codec::ShuffledBlock const block, walk.next());
        SLUICE_CHECK(codec::decode_planes(block, Compression::lz4, chosen_isa(), walk.end(),
                                          8 * element, room.data()));
    }
    SLUICE_CHECK(walk.tail());
    return {};
}

}  // namespace sluice::net

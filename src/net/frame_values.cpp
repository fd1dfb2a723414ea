// The values of a frame that came, decoded.
// SPDX-License-Identifier: Apache-2.0
#include "net/frame_values.h"

#include <algorithm>

#include "codec/bitshuffle/bitshuffle.h"
#include "device/isa.h"

namespace sluice::net {

using codec::Compression;

Status frame_values(EncodedFrame const& frame, int element, std::span<std::byte> values) {
    switch (frame.encoding) {
        case Encoding::missing:
            return {};
        case Encoding::values:
            if (frame.bytes.size() != values.size())
                return Error{Code::corrupt, "a frame of another size"};
            std::ranges::copy(frame.bytes, values.begin());
            return {};
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

Status check_frame(EncodedFrame const& frame, int element, std::size_t value_bytes,
                   std::vector<std::byte>& room) {
    if (frame.encoding != Encoding::bitshuffle_lz4) {
        room.resize(value_bytes);
        return frame_values(frame, element, room);
    }
    index const elements = static_cast<index>(value_bytes) / element;
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

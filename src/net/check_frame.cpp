// Whether a frame that came can be decoded.
// SPDX-License-Identifier: Apache-2.0
#include "net/check_frame.h"

#include <algorithm>

#include "codec/bitshuffle/bitshuffle.h"
#include "device/isa.h"

namespace sluice::net {

using codec::Compression;

Status check_frame(EncodedFrame const& frame, FrameSize size, std::vector<std::byte>& room) {
    if (frame.encoding != Encoding::bitshuffle_lz4) {
        room.resize(size.bytes());
        return decode_frame(frame, size, room);
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

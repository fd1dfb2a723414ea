// Frames are read by units of sixteen, as they are stored for analyses.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/frame_reader.h"

#include <algorithm>

namespace sluice::conversion {

FrameReader::FrameReader(Scan const& scan)
    : copier_(scan, {0, 0, scan.plan().rows, scan.plan().cols}) {}

Status FrameReader::read(index first, index count, std::byte* to) {
    for (index at = first; at < first + count;) {
        index const end =
            std::min(first + count, (at / planes::tile_frames + 1) * planes::tile_frames);
        places_.clear();
        for (; at < end; ++at) places_.push_back({at, at - first});
        SLUICE_CHECK(copier_.copy(places_, to));
    }
    return {};
}

}  // namespace sluice::conversion

// Images of the hits of a file, made when they are asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/indexed.h"
#include "format/tpx3/event_index.h"

namespace sluice::tpx3 {

/// Which images are frames of the scan.
struct LinePath {
    index cols = 0, per_line = 0;

    index image_of(index frame) const { return frame / cols * per_line + frame % cols; }
};

/// Of a scan of `lines` lines.
std::shared_ptr<FrameSource const> event_frames(std::shared_ptr<Source const> file,
                                                ChipLayout const& layout, LinePath path,
                                                index lines, EventIndex events);

}  // namespace sluice::tpx3

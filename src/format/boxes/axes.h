// FrameAxes: which dimensions of an array are the scan's and which the detector's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::boxes {

/// Dimensions by number, the slowest being 0.
struct FrameAxes {
    std::vector<std::size_t> scan;  ///< rows and columns; one alone numbers the frames
    std::size_t row = 0, col = 0;   ///< of the detector

    bool operator==(FrameAxes const&) const = default;
};

/// Scan first, detector last, as most programs write.
FrameAxes usual_axes(std::size_t rank);

/// Reads "detector_row,detector_column,scan_row,scan_column" (short: dr,dc,sr,sc), or with 3
/// dimensions "scan" for the frames.
Result<FrameAxes> parse_axes(std::string const& text, std::size_t rank);

/// The names as parse_axes() reads them.
std::string axes_text(FrameAxes const& axes);

}  // namespace sluice::boxes

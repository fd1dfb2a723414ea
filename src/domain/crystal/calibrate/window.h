// Window: the centre of mass of a frame in a round window about itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

struct WindowSetup {
    std::array<index, 2> shape{};       ///< of the frame
    std::span<std::uint8_t const> bad;  ///< [row][col], 1: weighs nothing; empty: none
    double radius = 0;                  ///< of the window, in pixels of the frame, as all here
    double least = 0;                   ///< a beam nearer than this to the edge is cut
    std::optional<stem4d::Point> start =
        {};  ///< empty: where a square of `least` has the most counts
};
struct WindowOrigin {
    stem4d::OriginReason reason = stem4d::OriginReason::no_counts;
    stem4d::Point at;
    std::array<double, 3> covariance{};  ///< row, col, both, of Poisson counts
};
/// `counts` is [row][col]; NaN weighs nothing.
WindowOrigin settle(WindowSetup const& setup, std::span<double const> counts);

}  // namespace sluice::crystal

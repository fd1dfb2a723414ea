// The area that closed lines enclose, by the rule of even and odd, cut into trapezoids: exact for
// lines that cross themselves and each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "sluice/result.h"

namespace sluice::dicom {

/// Corners in a plane; the last one is joined to the first.
using Ring = std::vector<std::array<double, 2>>;

/// What lies between two lines and two heights. `from` and `to` are x of the lines at y0 and y1.
struct Trapezoid {
    double y0 = 0, y1 = 0;
    std::array<double, 2> from{}, to{};

    double area() const { return (y1 - y0) * (to[0] - from[0] + to[1] - from[1]) / 2; }
};

/// Tells all trapezoids of the rings, by ascending y; none reaches over one of `cuts` (ascending).
/// Error: the rings have so many lines side by side that this would take too long.
Status cut_into_trapezoids(std::span<Ring const> rings, std::span<double const> cuts,
                           std::function<void(Trapezoid const&)> const& tell);

}  // namespace sluice::dicom

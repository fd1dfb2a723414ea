// What is wrong with a detector, and where it lies.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/detector_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::stem4d {

Status check_finite(Detector const& d) {
    auto const wrong = std::ranges::find_if_not(d.pixels, [](float w) { return std::isfinite(w); });
    if (wrong == d.pixels.end()) return {};
    auto const at = static_cast<index>(wrong - d.pixels.begin());
    auto const cols = std::max<index>(1, static_cast<index>(d.from.col));
    return Error{Code::invalid_argument,
                 fmt::format("detector '{}' has {} at row {}, column {} (it does not say whether "
                             "that pixel counts); give finite numbers",
                             d.name, *wrong, at / cols, at % cols)};
}

std::string place_of(Detector const& d, Point center) {
    Point from = d.from, to = d.to;
    if (d.shape == Detector::Shape::polygon && !d.corners.empty()) {
        auto const [top, bottom] = std::ranges::minmax(d.corners, {}, &Point::row);
        auto const [left, right] = std::ranges::minmax(d.corners, {}, &Point::col);
        from = {top.row, left.col}, to = {bottom.row, right.col};
    } else if (d.shape != Detector::Shape::rectangle) {
        return fmt::format("its own centre is row {:.1f}, column {:.1f}", center.row, center.col);
    }
    return fmt::format("its own rows are {:g} to {:g} and its columns {:g} to {:g}", from.row,
                       to.row, from.col, to.col);
}

}  // namespace sluice::stem4d

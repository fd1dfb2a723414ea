// What is wrong with a detector.
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
                 fmt::format("detector '{}' has {} at row {}, column {} (nobody can tell whether "
                             "that pixel counts); give finite numbers",
                             d.name, *wrong, at / cols, at % cols)};
}

}  // namespace sluice::stem4d

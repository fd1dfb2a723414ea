// What the text formats of orientation maps share: steps, errors as angles, names on one line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "domain/orientation/vectors.h"
#include "sluice/orientation_map.h"

namespace sluice::orient {

/// In µm; 1 where it is not known.
inline double step_um(stem4d::OrientationMap const& map) {
    return map.step_nm > 0 ? map.step_nm / 1000 : 1;
}
/// The standard error of an orientation in degrees, over its three angles; 0: not known.
inline double error_degrees(std::array<double, 6> const& covariance) {
    double const sum = covariance[0] + covariance[1] + covariance[2];
    return sum >= 0 && std::isfinite(sum) ? std::sqrt(sum / 3) / degree : 0;
}
/// Numbers that are not finite become 0: the formats have no word for them.
inline double shown(double value) {
    return std::isfinite(value) ? value : 0;
}
/// Without what would end a line or a field.
inline std::string on_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == ';'; }, ' ');
    return text.empty() ? "unnamed" : text;
}

}  // namespace sluice::orient

// The axes of positions as matrices, and as options of the command line.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::cli {

void turn(AxesMatrix& m, bool transpose, bool flip_rows, bool flip_cols) {
    if (transpose) std::swap(m[0], m[1]);
    if (flip_rows) m[0] = {-m[0][0], -m[0][1]};
    if (flip_cols) m[1] = {-m[1][0], -m[1][1]};
}

AxesMatrix axes_of(stem4d::PatternsOptions const& geometry) {
    double const angle = -geometry.rotation_degrees.value_or(0) * std::numbers::pi / 180;
    AxesMatrix m{{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}}};
    turn(m, geometry.transpose.value_or(false), false, false);
    return m;
}

AxesMatrix axes_of(stem4d::PatternFileOptions const& geometry) {
    AxesMatrix m{{{1, 0}, {0, 1}}};
    turn(m, geometry.transpose, geometry.flip_rows, geometry.flip_cols);
    return m;
}

AxesOptions scan_options(AxesMatrix m, double steps) {
    bool const transpose = m[0][0] * m[1][1] - m[0][1] * m[1][0] < 0;
    if (transpose) std::swap(m[0], m[1]);
    double const turn = -std::atan2(m[1][0], m[0][0]) * 180 / std::numbers::pi;
    double const degrees = std::round(turn * steps) / steps + 0.0;
    return {{{"rotation", degrees}, {"transpose", transpose}},
            fmt::format("--rotation {:g}{}", degrees, transpose ? " --transpose" : ""),
            fmt::format("{:g}°{}", degrees, transpose ? ", transposed" : "")};
}

AxesOptions file_options(AxesMatrix const& m) {
    bool const transpose = std::abs(m[0][0]) < std::abs(m[0][1]);
    AxesOptions found;
    for (auto const& [name, given] :
         {std::pair("transpose", transpose), std::pair("flip_rows", m[0][transpose ? 1 : 0] < 0),
          std::pair("flip_cols", m[1][transpose ? 0 : 1] < 0)}) {
        found.options[name] = given;
        std::string option = name;
        std::replace(option.begin(), option.end(), '_', '-');
        if (given) found.words += (found.words.empty() ? "--" : " --") + option;
    }
    found.title = found.words.empty() ? "as the file has it" : found.words;
    if (found.words.empty()) found.words = "no option, as the file has it";
    return found;
}

}  // namespace sluice::cli

// Nice numbers: 1, 2 and 5 times powers of ten, and how numbers are written in pictures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/contrast.h"

namespace sluice::figure {

/// The number 1, 2 or 5 x 10^n with the smallest ratio to `about`, which is above 0.
double nice_number(double about);

/// Where a colour bar is marked, and with which texts.
struct Ticks {
    struct Tick {
        double value;
        std::string label;
    };
    std::vector<Tick> ticks;
    std::string factor = {};  ///< what all labels are multiplied with, e.g. "×10⁵"; often empty
};

/// About `count` ticks between the limits: even steps, or decades on a logarithmic scale. On a
/// power scale from near 0, all round numbers, of which the caller takes those that have room.
Ticks nice_ticks(Scale scale, Limits limits, int count);

/// "10⁻³"
std::string power_of_ten(int exponent);

/// `digits` significant digits at most, but integers up to 99999 whole; with a true minus sign, and
/// powers of ten instead of 'e'.
std::string number_text(double value, int digits = 3);

}  // namespace sluice::figure

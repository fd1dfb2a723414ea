// What a speed is called, and which squares of a slide a benchmark reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sluice/slide.h"

namespace sluice::slide {

/// "fast" above 100 million pixels a second, "moderate" above 20, else "slow".
std::string_view class_of(double pixels_per_s);

/// `count` squares inside of `area`, the same for the same numbers.
std::vector<Rect> random_squares(Rect const& area, index side, index count);

}  // namespace sluice::slide

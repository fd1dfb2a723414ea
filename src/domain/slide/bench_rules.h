// What a benchmark's numbers are called, and how answers are compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/slide.h"

namespace sluice::slide {

/// "fast" above 100 million pixels a second, "moderate" above 20, else "slow".
std::string_view class_of(double pixels_per_s);

/// Depends on every bit and its place: the sum of all little-endian words of 8 bytes, the last one
/// filled up with zeros, times 1, 3, 5, ... modulo 2^64. Other languages can say it in a line.
std::uint64_t checksum(Bytes bytes);

/// One way of reading, measured.
struct WayTimes {
    std::string name, options;  ///< what to give to get it
    double wall_s = 0;          ///< the median
    int effort = 0;             ///< simpler ways have less
};

/// The way to recommend: the one of least effort within a tenth of the fastest; -1 without any.
int recommended(std::vector<WayTimes> const& ways);

/// `count` squares inside of `area`, the same for the same numbers.
std::vector<Rect> random_squares(Rect const& area, index side, index count);

}  // namespace sluice::slide

// Measured numbers: how far they lie apart, and what they say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sluice {

/// How several numbers are spread.
struct Spread {
    double min = 0, median = 0, max = 0;
    /// A quarter of the numbers lies below the one and above the other.
    double lower_quartile = 0, upper_quartile = 0;
    /// How far they lie apart, as a share of the middle one.
    double relative() const { return median > 0 ? (max - min) / median : 0; }
};
/// Quantiles are interpolated linearly between numbers; zeros for an empty list.
Spread spread_of(std::vector<double> values);

/// Something the numbers say, and what to do about it; `advice` may be empty. `evidence` tells the
/// numbers that it rests on, and how sure they make it; findings that are counted have none.
struct Finding {
    std::string rule, text, advice, evidence = {};
};

}  // namespace sluice

// Whether one list of rounds is faster than another, or only luckier.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace sluice::bench {

struct Comparison {
    double before_s = 0, after_s = 0;  ///< medians
    double ratio = 1;                  ///< after over before
    double low = 1, high = 1;          ///< of the ratio, 95 %, by the bootstrap
    double p = 1;                      ///< of the rank test, two-sided
    std::string verdict = {};          ///< "faster", "slower", "no difference shown" ...
};

/// Rounds of the same work before and after. Other answers than "no difference shown" need p below
/// 0.05 and an interval without 1; fewer than four rounds on a side cannot give it. Rounds that
/// were not taken in turns also differ by what the machine did meanwhile.
Comparison compare(std::span<double const> before, std::span<double const> after);

/// Mann and Whitney's test: the probability of ranks at least as uneven, if there is no difference.
/// Exact without ties up to 20 and 20 numbers, else by the normal approximation.
double rank_test(std::span<double const> a, std::span<double const> b);

}  // namespace sluice::bench

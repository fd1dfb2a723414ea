// How far the depth dose of one grid is from that of another, and when that is too far.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "domain/proton/guards/lines.h"

namespace sluice::proton::guards {

/// How far a march on one grid is from one on another.
struct Distance {
    double range = 0, fall_off = 0;  ///< mm of water
    double dose = 0;                 ///< part: the L2 norm of the difference over that of the dose
    double plateau = 0;              ///< part: the most of a plane before 0.7 of the range
    double let = 0;                  ///< part: the most of a plane with enough dose

    void take_worst(Distance const& o) {
        range = std::max(range, o.range);
        fall_off = std::max(fall_off, o.fall_off);
        dose = std::max(dose, o.dose);
        plateau = std::max(plateau, o.plateau);
        let = std::max(let, o.let);
    }
};

/// Of a line that is checked from one that is finer.
Distance distance(Line const& a, Line const& b);

/// The words for one of the distances.
struct Rule {
    std::string_view name, unit, what;
    double Distance::*part;
    double factor;  ///< to the unit
    double limit, certain;
};

/// Of protons with a range of so many mm.
std::array<Rule, 5> rules_for(double range);

}  // namespace sluice::proton::guards

// How far the depth dose of one grid is from that of another, and when that is too far.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "domain/proton/guards/lines.h"

namespace sluice::proton::guards {

/// How far a march on one grid is from one on another.
struct Distance {
    double range = 0, fall_off = 0;  ///< mm of water
    double dose = 0;                 ///< part: the L2 norm of the difference over that of the dose
    double plateau = 0;              ///< part: the most of a plane before 0.7 of the range
    double let = 0;                  ///< part: the most of a plane with enough dose
    index plateau_at = -1, let_at = -1;  ///< these planes

    void take_worst(Distance const& o) {
        range = std::max(range, o.range);
        fall_off = std::max(fall_off, o.fall_off);
        dose = std::max(dose, o.dose);
        if (o.plateau > plateau) std::tie(plateau, plateau_at) = std::pair(o.plateau, o.plateau_at);
        if (o.let > let) std::tie(let, let_at) = std::pair(o.let, o.let_at);
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
    index Distance::*at = nullptr;  ///< the plane, of what is judged plane by plane
};

/// Of protons with a range of so many mm.
std::array<Rule, 5> rules_for(double range);

}  // namespace sluice::proton::guards

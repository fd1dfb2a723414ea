// How far the depth dose of one grid is from that of another, and when that is too far.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/distance.h"

#include <cmath>
#include <numeric>

namespace sluice::proton::guards {

Distance distance(Line const& a, Line const& b) {
    Distance d;
    auto const ma = bragg_metrics({a.water, a.dose}), mb = bragg_metrics({b.water, b.dose});
    if (ma && mb && std::isfinite(ma->r80) && std::isfinite(mb->r80)) {
        d.range = std::abs(ma->r80 - mb->r80);
        if (std::isfinite(ma->fall_off) && std::isfinite(mb->fall_off))
            d.fall_off = std::abs(ma->fall_off - mb->fall_off);
    }
    double sum = 0, square = 0, most = 0;
    for (std::size_t k = 0; k < b.energy.size(); ++k) {
        sum += std::pow(a.energy[k] - b.energy[k], 2);
        square += b.energy[k] * b.energy[k];
        most = std::max(most, b.energy[k]);
    }
    d.dose = square > 0 ? std::sqrt(sum / square) : 0;
    for (std::size_t k = 0; k < b.energy.size(); ++k)
        if (b.energy[k] > 0.2 * most && b.let[k] > 0)
            d.take_worst(
                {.let = std::abs(a.let[k] / b.let[k] - 1), .let_at = static_cast<index>(k)});
    double done = 0, all = std::accumulate(b.energy.begin(), b.energy.end(), 0.0);
    for (std::size_t k = 0; k < b.energy.size() && done < 0.5 * all; ++k) {
        done += b.energy[k];
        // Air counts too: the unspread rows of a beam lose a part of its small shifts there.
        if (b.energy[k] > 1e-6 * most)
            d.take_worst({.plateau = std::abs(a.energy[k] / b.energy[k] - 1),
                          .plateau_at = static_cast<index>(k)});
    }
    return d;
}

std::array<Rule, 5> rules_for(double range) {
    double const mm = std::min(0.2, 0.01 * range);
    return {{{"range", "mm", "the range is off", &Distance::range, 1, mm, 5 * mm},
             {"fall_off", "mm", "the fall-off is off", &Distance::fall_off, 1, mm, 5 * mm},
             {"plateau_dose", "%", "the dose before the peak is off", &Distance::plateau, 100, 1,
              30, &Distance::plateau_at},
             {"depth_dose", "%", "the depth dose is off (L2 norm)", &Distance::dose, 100, 3, 20},
             {"let_dose", "%", "the LET (by dose, of primary protons) is off", &Distance::let, 100,
              10, 50, &Distance::let_at}}};
}

}  // namespace sluice::proton::guards

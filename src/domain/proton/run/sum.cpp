// What several beams leave together.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sluice/proton_run.h"

namespace sluice::proton {
namespace {

void add(Ledger& to, Ledger const& l) {
    to.in += l.in;
    to.stopped += l.stopped;
    to.left += l.left;
    to.right += l.right;
    to.end += l.end;
    to.front += l.front;
    to.backward += l.backward;
    to.angles += l.angles;
    to.nuclear += l.nuclear;
    to.truncated += l.truncated;
    to.inside += l.inside;
    to.local += l.local;
    to.secondary += l.secondary;
    to.neutral += l.neutral;
    to.secondary_out += l.secondary_out;
}

void add(std::vector<double>& to, std::vector<double> const& from) {
    std::ranges::transform(to, from, to.begin(), std::plus{});
}

double plane_of(std::vector<double> const& map, index plane, index columns) {
    auto const from = map.begin() + plane * columns;
    return std::accumulate(from, from + columns, 0.0);
}

// Means of both, weighted with what each is a mean over; the maps are already those of both.
void add(PlaneSums& to, PlaneSums const& s, MarchResult const& both, index plane) {
    double const all = to.weight + s.weight;
    auto const mean = [&](double a, double b) {
        return all > 0 ? (a * to.weight + b * s.weight) / all : 0;
    };
    to.energy = mean(to.energy, s.energy);
    to.let_track = mean(to.let_track, s.let_track);
    auto const join = [&](double PlaneSums::*middle, double PlaneSums::*variance) {
        auto const square = [&](PlaneSums const& of) {
            return of.*variance + of.*middle * of.*middle;
        };
        double const both_middle = mean(to.*middle, s.*middle);
        to.*variance = mean(square(to), square(s)) - both_middle * both_middle;
        to.*middle = both_middle;
    };
    join(&PlaneSums::angle, &PlaneSums::angle_variance);
    join(&PlaneSums::place, &PlaneSums::place_variance);
    join(&PlaneSums::range, &PlaneSums::range_variance);
    to.weight = all;
    if (both.primary.empty()) return;
    double const primary = plane_of(both.primary, plane, both.columns);
    double const let = plane_of(both.primary_let, plane, both.columns);
    double const others = plane_of(both.secondary, plane, both.columns);
    double const others_let = plane_of(both.secondary_let, plane, both.columns);
    to.let_dose = primary > 0 ? let / primary : 0;
    to.let_dose_all = primary + others > 0 ? (let + others_let) / (primary + others) : 0;
}

}  // namespace

void add(MarchResult& to, MarchResult const& r) {
    add(to.deposit, r.deposit);
    add(to.unexplained, r.unexplained);
    add(to.primary, r.primary);
    add(to.primary_let, r.primary_let);
    add(to.secondary, r.secondary);
    add(to.secondary_let, r.secondary_let);
    for (std::size_t k = 0; k < to.sums.size(); ++k)
        add(to.sums[k], r.sums[k], to, static_cast<index>(k));
    for (std::size_t k = 0; k < to.steps.size(); ++k) add(to.steps[k], r.steps[k]);
    for (std::size_t k = 0; k < to.spectra.size(); ++k)
        to.spectra[k] = sum_of({to.spectra[k], r.spectra[k]});
    add(to.ledger, r.ledger);
    to.worst_weight = std::max(to.worst_weight, r.worst_weight);
    to.worst_energy = std::max(to.worst_energy, r.worst_energy);
    for (auto const off :
         {&MarchResult::place_off, &MarchResult::angle_off, &MarchResult::range_off})
        if (std::abs((r.*off).part) > std::abs((to.*off).part)) to.*off = r.*off;
    to.cells += r.cells;
}

}  // namespace sluice::proton

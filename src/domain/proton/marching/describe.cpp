// What is known of the protons at one depth.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/describe.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

template <class Real>
PlaneSums plane_sums(State<Real> const& state, double before_face) {
    PlaneSums sums;
    double e = 0, s1 = 0, s2 = 0;
    for (index i = state.row.low; i < state.row.high; ++i) {
        double const w = state.weight_of_row(i),
                     s = state.rows.stopping[static_cast<std::size_t>(i)];
        sums.weight += w;
        e += w * state.energy_of(i);
        s1 += w * s;
        s2 += w * s * s;
    }
    if (sums.weight <= 0) return sums;
    sums.energy = e / sums.weight;
    // MeV/mm is keV/um.
    sums.let_track = s1 / sums.weight;
    sums.let_dose = s2 / s1;
    // These are from before the scattering at this face.
    double all = 0, a1 = 0, a2 = 0;
    for (index j = state.angle.low; j < state.angle.high; ++j) {
        double const w = sum_of(state.angle_sums, j * state.stride + state.x.low, state.x.size());
        double const a = state.angles.angle[static_cast<std::size_t>(j)];
        all += w;
        a1 += w * a;
        a2 += w * a * a;
    }
    if (all <= 0) return sums;
    sums.angle = a1 / all;
    sums.angle_variance = a2 / all - sums.angle * sums.angle + before_face;
    return sums;
}

template <class Real>
void exit_spread(State<Real> const& state, Phantom const& phantom, MarchResult& result) {
    double w = 0, first = 0, second = 0;
    for (index x = state.x.low; x < state.x.low + state.columns(); ++x) {
        double const at = (static_cast<double>(x) + 0.5) * phantom.dx;
        double f = 0;
        for (index j = state.angle.low; j < state.angle.high; ++j)
            f += static_cast<double>(
                state.angle_sums[static_cast<std::size_t>(j * state.stride + x)]);
        w += f;
        first += f * at;
        second += f * at * at;
    }
    if (w <= 0) return;
    double const mean = first / w, own = phantom.dx * phantom.dx / 12;
    result.exit_mean = phantom.x0 + mean;
    result.exit_sigma = std::sqrt(std::max(second / w - mean * mean - own, 0.0));
}

template PlaneSums plane_sums(State<float> const&, double);
template PlaneSums plane_sums(State<double> const&, double);
template void exit_spread(State<float> const&, Phantom const&, MarchResult&);
template void exit_spread(State<double> const&, Phantom const&, MarchResult&);

}  // namespace sluice::proton::marching

// What is known of the protons at one depth.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/describe.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {
namespace {

// A row's protons have ranges of half a row to each side: the part of them whose range has not
// ended.
double part_that_flies(RangeRows const& rows, index row) {
    return std::clamp(rows.range[static_cast<std::size_t>(row)] / rows.step + 0.5, 0.0, 1.0);
}

}  // namespace

template <class Real>
PlaneSums plane_sums(State<Real> const& state, Phantom const& phantom, double before_face) {
    PlaneSums sums;
    double energy = 0, r1 = 0, r2 = 0;
    for (index i = state.box.row.low; i < state.box.row.high; ++i) {
        double const flies = part_that_flies(state.rows, i), w = flies * state.weight_of_row(i);
        double const range =
            flies < 1 ? flies * state.rows.step / 2 : state.rows.range[static_cast<std::size_t>(i)];
        sums.weight += w;
        energy += state.weight_of_row(i) * state.energy_of(i);
        r1 += w * range;
        r2 += w * range * range;
    }
    if (sums.weight <= 0) return sums;
    sums.energy = energy / sums.weight;
    sums.range = r1 / sums.weight;
    sums.range_variance = std::max(r2 / sums.weight - sums.range * sums.range, 0.0);
    // These are from before the scattering at this face.
    double all = 0, a1 = 0, a2 = 0, x1 = 0, x2 = 0;
    for (index j = state.box.angle.low; j < state.box.angle.high; ++j) {
        double const w =
            sum_of(state.angle_sums, j * state.stride + state.box.x.low, state.box.x.size());
        double const a = state.angles.angle[static_cast<std::size_t>(j)];
        all += w;
        a1 += w * a;
        a2 += w * a * a;
        Real const* const line = state.angle_sums.data() + j * state.stride;
        for (index x = state.box.x.low; x < state.box.x.high; ++x) {
            double const place = static_cast<double>(x) + 0.5, v = static_cast<double>(line[x]);
            x1 += v * place;
            x2 += v * place * place;
        }
    }
    if (all <= 0) return sums;
    double const mean = x1 / all, dx = phantom.dx;
    sums.place = phantom.x0 + mean * dx;
    sums.place_variance = std::max(x2 / all - mean * mean - 1.0 / 12, 0.0) * dx * dx;
    sums.angle = a1 / all;
    sums.angle_variance = a2 / all - sums.angle * sums.angle + before_face;
    return sums;
}

template <class Real>
void column_energies(State<Real> const& state, double mean, std::vector<double>& energies) {
    auto const columns = static_cast<std::size_t>(state.phantom_columns);
    energies.resize(columns, mean);
    std::vector<double> weight(columns), energy(columns);
    double most = 0;
    for (index i = state.box.row.low; i < state.box.row.high; ++i)
        for (std::size_t x = 0; x < columns; ++x) {
            auto const at = static_cast<std::size_t>(i * state.stride) + x;
            auto const w = static_cast<double>(state.row_sums[at]);
            weight[x] += w;
            energy[x] += w * state.energy_of(i);
            most = std::max(most, weight[x]);
        }
    // Where all have stopped those that were the last count on.
    for (std::size_t x = 0; x < columns; ++x)
        if (weight[x] > 1e-4 * most) energies[x] = std::max(energy[x] / weight[x], 1.0);
}

template <class Real>
Spectrum spectrum_of(State<Real> const& state, Physics const& physics, double depth) {
    Spectrum s;
    s.depth = depth;
    // A row's bin goes half a step to each side.
    auto const edge_below = [&](index i) {
        return physics.energy(
            std::max(0.0, state.rows.range[0] + (double(i) - 0.5) * state.rows.step));
    };
    for (index i = state.box.row.low; i < state.box.row.high; ++i) {
        double const flies = part_that_flies(state.rows, i);
        if (flies <= 0) continue;
        if (s.edges.empty()) s.edges.push_back(edge_below(i));
        s.edges.push_back(edge_below(i + 1));
        s.protons.push_back(flies * state.weight_of_row(i) / (s.edges.back() - s.edges.end()[-2]));
    }
    return s;
}

template <class Real>
void exit_spread(State<Real> const& state, Phantom const& phantom, MarchResult& result) {
    double w = 0, first = 0, second = 0;
    for (index x = state.box.x.low; x < state.box.x.low + state.columns(); ++x) {
        double const at = (static_cast<double>(x) + 0.5) * phantom.dx;
        double f = 0;
        for (index j = state.box.angle.low; j < state.box.angle.high; ++j)
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

template PlaneSums plane_sums(State<float> const&, Phantom const&, double);
template PlaneSums plane_sums(State<double> const&, Phantom const&, double);
template void column_energies(State<float> const&, double, std::vector<double>&);
template void column_energies(State<double> const&, double, std::vector<double>&);
template Spectrum spectrum_of(State<float> const&, Physics const&, double);
template Spectrum spectrum_of(State<double> const&, Physics const&, double);
template void exit_spread(State<float> const&, Phantom const&, MarchResult&);
template void exit_spread(State<double> const&, Phantom const&, MarchResult&);

}  // namespace sluice::proton::marching

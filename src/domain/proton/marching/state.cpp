// The protons on one plane, and the part of the grid that they fill.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/state.h"

#include <algorithm>
#include <cmath>

namespace sluice::proton::marching {

template <class Real>
State<Real>::State(Physics const& physics, Phantom const& phantom, Beam const& beam,
                   MarchOptions const& options)
    : phantom_columns(phantom.columns),
      least(options.threshold * scale<Real>),
      row_least(options.threshold * beam.weight),
      unit(beam.weight / scale<Real>),
      rows(range_rows(physics, phantom, beam, options)),
      angles(angles_of(beam, options)),
      stride((phantom.columns + lane - 1) / lane * lane) {
    values.resize(static_cast<std::size_t>(rows.size() * angles.size() * stride));
    angle_sums.resize(static_cast<std::size_t>(angles.size() * stride));
    row_sums.resize(static_cast<std::size_t>(rows.size() * stride));
}

template <class Real>
void State<Real>::fill(std::vector<double> const& start) {
    auto const width = static_cast<std::size_t>(phantom_columns);
    auto from = start.begin();
    for (index i = 0; i < rows.size(); ++i)
        for (index j = 0; j < angles.size(); ++j, from += phantom_columns)
            for (std::size_t k = 0; k < width; ++k)
                at(i, j)[k] = static_cast<Real>(from[static_cast<std::ptrdiff_t>(k)] * scale<Real>);
    row = {0, rows.size()};
    angle = {0, angles.size()};
    x = {0, stride};
}

template <class Real>
void State<Real>::add_up() {
    std::fill(row_sums.begin(), row_sums.end(), Real(0));
    std::fill(angle_sums.begin(), angle_sums.end(), Real(0));
    for (index i = row.low; i < row.high; ++i)
        for (index j = angle.low; j < angle.high; ++j) {
            Real const* const line = at(i, j);
            for (index k = x.low; k < x.high; ++k) {
                row_sums[static_cast<std::size_t>(i * stride + k)] += line[k];
                angle_sums[static_cast<std::size_t>(j * stride + k)] += line[k];
            }
        }
}

template <class Real>
Share State<Real>::share() const {
    Share s;
    for (index i = row.low; i < row.high; ++i) {
        double const w = weight_of_row(i);
        s.weight += w;
        s.energy += w * energy_of(i);
    }
    return s;
}

// Takes a box of the state away, and accounts for it.
template <class Real>
void State<Real>::drop(Window rows_gone, Window angles_gone, Window x_gone, Share& truncated) {
    for (index i = rows_gone.low; i < rows_gone.high; ++i) {
        double sum = 0;
        for (index j = angles_gone.low; j < angles_gone.high; ++j) {
            Real* const line = at(i, j);
            // What is given up is too little for its sum to need more digits than it has.
            Real part[lane] = {};
            for (index k = x_gone.low; k < x_gone.high; k += lane)
                for (index n = 0; n < lane; ++n) part[n] += line[k + n];
            for (Real const p : part) sum += static_cast<double>(p);
            std::fill(line + x_gone.low, line + x_gone.high, Real(0));
        }
        truncated.weight += sum * unit;
        truncated.energy += sum * unit * energy_of(i);
    }
    // The sums are of what is there.
    for (index j = angles_gone.low; j < angles_gone.high; ++j)
        std::fill(angle_sums.begin() + j * stride + x_gone.low,
                  angle_sums.begin() + j * stride + x_gone.high, Real(0));
}

template <class Real>
void State<Real>::drop_row(index i, Share& truncated) {
    truncated.weight += weight_of_row(i);
    truncated.energy += weight_of_row(i) * energy_of(i);
    for (index j = angle.low; j < angle.high; ++j)
        std::fill(at(i, j) + x.low, at(i, j) + x.high, Real(0));
}

template <class Real>
void State<Real>::narrow_rows(Share& truncated) {
    while (!row.empty() && weight_of_row(row.high - 1) < row_least) drop_row(--row.high, truncated);
    while (!row.empty() && weight_of_row(row.low) < row_least) drop_row(row.low++, truncated);
}

template <class Real>
void State<Real>::narrow(Share& truncated) {
    auto const line = [&](index j) { return sum_of(angle_sums, j * stride + x.low, x.size()); };
    while (angle.size() > 1 && line(angle.low) < least) {
        drop(row, {angle.low, angle.low + 1}, x, truncated);
        ++angle.low;
    }
    while (angle.size() > 1 && line(angle.high - 1) < least) {
        drop(row, {angle.high - 1, angle.high}, x, truncated);
        --angle.high;
    }
    auto const block = [&](index k) {
        double sum = 0;
        for (index j = angle.low; j < angle.high; ++j)
            sum += sum_of(angle_sums, j * stride + k, lane);
        return sum;
    };
    while (x.size() > lane && block(x.low) < least) {
        drop(row, angle, {x.low, x.low + lane}, truncated);
        x.low += lane;
    }
    while (x.size() > lane && block(x.high - lane) < least) {
        drop(row, angle, {x.high - lane, x.high}, truncated);
        x.high -= lane;
    }
}

template <class Real>
void State<Real>::widen(double lowest, double highest) {
    auto const needed = [&](double shift, bool at_high) {
        index const reach = static_cast<index>(std::ceil(std::abs(shift))) + 2;
        index const n = std::min(reach, x.size());
        double sum = 0;
        for (index j = angle.low; j < angle.high; ++j)
            sum += sum_of(angle_sums, j * stride + (at_high ? x.high - n : x.low), n);
        return sum >= least ? (reach + lane - 1) / lane * lane : index{0};
    };
    index const low = lowest < 0 ? needed(lowest, false) : 0;
    index const high = highest > 0 ? needed(highest, true) : 0;
    x.low = std::max<index>(0, x.low - low);
    x.high = std::min(stride, x.high + high);
}

template struct State<float>;
template struct State<double>;

}  // namespace sluice::proton::marching

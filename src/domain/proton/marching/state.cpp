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
      still(rows),
      angles(angles_of(beam, options)),
      stride((phantom.columns + lanes - 1) / lanes * lanes) {
    angle_sums.resize(static_cast<std::size_t>(angles.size() * stride));
    row_sums.resize(static_cast<std::size_t>(rows.size() * stride));
}

template <class Real>
Status State<Real>::fill(Start const& start) {
    std::vector<Real> values(static_cast<std::size_t>(rows.size() * angles.size() * stride));
    auto const nothing = [](double v) { return v == 0; };
    auto const first = std::ranges::find_if_not(start.rows, nothing);
    auto const past = std::find_if_not(start.rows.rbegin(), start.rows.rend(), nothing).base();
    box = {
        {first - start.rows.begin(), past - start.rows.begin()}, {angles.size(), 0}, {0, stride}};
    for (index j = 0; j < angles.size(); ++j) {
        double const* const from = start.lines.data() + j * phantom_columns;
        if (std::all_of(from, from + phantom_columns, nothing)) continue;
        box.angle = {std::min(box.angle.low, j), j + 1};
        for (index i = box.row.low; i < box.row.high; ++i)
            std::transform(from, from + phantom_columns,
                           values.begin() + (i * angles.size() + j) * stride, [&](double v) {
                               return static_cast<Real>(start.rows[static_cast<std::size_t>(i)] *
                                                        v * scale<Real>);
                           });
    }
    return cells->fill(std::move(values));
}

template <class Real>
Status State<Real>::add_up(Share& truncated) {
    std::fill(row_sums.begin(), row_sums.end(), Real(0));
    std::fill(angle_sums.begin(), angle_sums.end(), Real(0));
    SLUICE_TRY(auto const given_up, cells->add_up(box, row_sums, angle_sums));
    lose(given_up, truncated);
    return {};
}

template <class Real>
Share State<Real>::share() const {
    Share s;
    for (index i = box.row.low; i < box.row.high; ++i) {
        double const w = weight_of_row(i);
        s.weight += w;
        s.energy += w * energy_of(i);
    }
    return s;
}

template <class Real>
void State<Real>::lose(std::vector<double> const& given_up, Share& truncated) const {
    for (index i = 0; i < rows.size(); ++i) {
        double const weight = given_up[static_cast<std::size_t>(i)] * unit;
        truncated += {weight, weight * energy_of(i)};
    }
}

template <class Real>
Status State<Real>::narrow_rows(Share& truncated) {
    Window const old = box.row;
    Window& row = box.row;
    auto const drop = [&](index i) {
        double const weight = weight_of_row(i);
        if (!(weight < row_least)) return false;
        truncated += {weight, weight * energy_of(i)};
        return true;
    };
    while (!row.empty() && drop(row.high - 1)) --row.high;
    while (!row.empty() && drop(row.low)) ++row.low;
    for (Window const gone : {Window{old.low, row.low}, Window{row.high, old.high}})
        if (!gone.empty()) SLUICE_CHECK(cells->clear({gone, box.angle, box.x}));
    return {};
}

template <class Real>
Status State<Real>::narrow() {
    Window &angle = box.angle, &x = box.x;
    auto const give_up = [&](Window angles_gone, Window x_gone) {
        // The sums hold the present weight.
        for (index j = angles_gone.low; j < angles_gone.high; ++j)
            std::fill(angle_sums.begin() + j * stride + x_gone.low,
                      angle_sums.begin() + j * stride + x_gone.high, Real(0));
        return cells->give_up({box.row, angles_gone, x_gone});
    };
    auto const line = [&](index j) { return sum_of(angle_sums, j * stride + x.low, x.size()); };
    while (angle.size() > 1 && line(angle.low) < least) {
        SLUICE_CHECK(give_up({angle.low, angle.low + 1}, x));
        ++angle.low;
    }
    while (angle.size() > 1 && line(angle.high - 1) < least) {
        SLUICE_CHECK(give_up({angle.high - 1, angle.high}, x));
        --angle.high;
    }
    auto const block = [&](index k) {
        double sum = 0;
        for (index j = angle.low; j < angle.high; ++j)
            sum += sum_of(angle_sums, j * stride + k, lanes);
        return sum;
    };
    while (x.size() > lanes && block(x.low) < least) {
        SLUICE_CHECK(give_up(angle, {x.low, x.low + lanes}));
        x.low += lanes;
    }
    while (x.size() > lanes && block(x.high - lanes) < least) {
        SLUICE_CHECK(give_up(angle, {x.high - lanes, x.high}));
        x.high -= lanes;
    }
    return {};
}

template <class Real>
void State<Real>::widen(std::vector<Way> const& ways) {
    Window& x = box.x;
    // About as much leaves a side as the part of its last columns that moves over it, if all angles
    // move as the farthest does: which of them have how much is not known after scattering.
    auto const needed = [&](bool at_high) {
        double farthest = 0;
        for (Way const& way : ways) {
            double const shift = at_high ? way.shift : -way.shift;
            // What is left on the way is moved back by half of it.
            farthest = std::max({farthest, shift, -shift / 2});
        }
        if (farthest == 0) return index{0};
        auto const reach = std::min(static_cast<index>(std::ceil(farthest)), x.size());
        double last = 0;
        for (index j = box.angle.low; j < box.angle.high; ++j)
            last += sum_of(angle_sums, j * stride + (at_high ? x.high - reach : x.low), reach);
        auto const room = static_cast<index>(std::ceil(farthest)) + 2;
        return farthest / static_cast<double>(reach) * last >= least
                   ? (room + lanes - 1) / lanes * lanes
                   : index{0};
    };
    index const low = needed(false), high = needed(true);
    x.low = std::max<index>(0, x.low - low);
    x.high = std::min(stride, x.high + high);
}

template struct State<float>;
template struct State<double>;

}  // namespace sluice::proton::marching

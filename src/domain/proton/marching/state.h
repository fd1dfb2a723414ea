// The protons on one plane, and the part of the grid that they fill.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/grid.h"
#include "domain/proton/scale.h"

namespace sluice::proton::marching {

/// Windows of x are made of so many columns.
constexpr index lane = 16;

/// From `low` to before `high`.
struct Window {
    index low = 0, high = 0;
    index size() const { return high - low; }
    bool empty() const { return low >= high; }
};

/// In eight sums side by side, which a processor can add at once.
double sum_of(auto const& values, index from, index n) {
    double part[8] = {};
    index i = 0;
    for (; i + 8 <= n; i += 8)
        for (index k = 0; k < 8; ++k)
            part[k] += static_cast<double>(values[static_cast<std::size_t>(from + i + k)]);
    for (; i < n; ++i) part[0] += static_cast<double>(values[static_cast<std::size_t>(from + i)]);
    return ((part[0] + part[4]) + (part[1] + part[5])) +
           ((part[2] + part[6]) + (part[3] + part[7]));
}

/// f(range, angle, x) at one depth, and its sums.
template <class Real>
struct State {
    State(Physics const& physics, Phantom const& phantom, Beam const& beam,
          MarchOptions const& options);

    index const phantom_columns;
    double const least;      ///< of the state's unit, below which ends are given up
    double const row_least;  ///< the same for rows, in protons
    double const unit;       ///< protons of the state's 1
    RangeRows rows;
    Angles angles;
    index stride;
    std::vector<Real> values;                ///< [row][angle][x]; outside of the windows all is 0
    Window row, angle, x;                    ///< where anything is
    std::vector<Real> row_sums, angle_sums;  ///< [row][x] and [angle][x]

    double energy_of(index i) const { return rows.energy[static_cast<std::size_t>(i)]; }
    Real* at(index i, index j) { return values.data() + (i * angles.size() + j) * stride; }
    Sheet<Real> sheet() {
        return {at(0, angle.low) + x.low, angle.size(), x.size(), stride, angles.size() * stride};
    }
    /// Columns of the window that the phantom has.
    index columns() const { return std::min(x.high, phantom_columns) - x.low; }
    double weight_of_row(index i) const {
        return unit * sum_of(row_sums, i * stride + x.low, x.size());
    }

    /// Puts [row][angle][column] into it, over all of the grid.
    void fill(std::vector<double> const& start);
    /// The sums of rows and of angles out of the state.
    void add_up();
    /// Of all that flies; the sums of rows must be those of the state.
    Share share() const;
    /// Gives up rows at the ends in which almost nothing is; the sums of rows must be those of the
    /// state. What is lost is added to `truncated`, here and below.
    void narrow_rows(Share& truncated);
    /// Gives up angles and columns likewise; the sums of angles must be those of the state.
    void narrow(Share& truncated);
    /// So that next to nothing leaves the window by drifts between these two, in columns: only the
    /// phantom.
    void widen(double lowest, double highest);

  private:
    void drop(Window rows_gone, Window angles_gone, Window x_gone, Share& truncated);
    void drop_row(index i, Share& truncated);
};

}  // namespace sluice::proton::marching

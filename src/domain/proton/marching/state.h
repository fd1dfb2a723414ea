// The protons on one plane, and the part of the grid that they fill.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/proton/marching/cells.h"
#include "domain/proton/marching/sum.h"
#include "domain/proton/scale.h"

namespace sluice::proton::marching {

/// The protons at one depth by range, angle and x: what is known of them here.
template <class Real>
struct State {
    State(Physics const& physics, Phantom const& phantom, Beam const& beam,
          MarchOptions const& options);

    index const phantom_columns;
    double const least;      ///< of the state's unit, below which ends are given up
    double const row_least;  ///< the same for rows, in protons
    double const unit;       ///< protons of the state's 1
    RangeRows rows;
    RangeRows const still;  ///< as they were before they came nearer to the end of range
    Angles angles;
    index stride;
    std::unique_ptr<Cells<Real>> cells;
    Box box;                                 ///< where anything is
    std::vector<Real> row_sums, angle_sums;  ///< [row][x] and [angle][x]

    double energy_of(index i) const { return rows.energy[static_cast<std::size_t>(i)]; }
    /// Columns of the box that the phantom has.
    index columns() const { return std::min(box.x.high, phantom_columns) - box.x.low; }
    double weight_of_row(index i) const {
        return unit * sum_of(row_sums, i * stride + box.x.low, box.x.size());
    }

    /// Puts a beam into it.
    Status fill(Start const& start);
    /// The sums of rows and of angles out of the cells; what they gave up is lost.
    Status add_up(Share& truncated);
    /// Of all that flies; the sums of rows must be those of the cells.
    Share share() const;
    /// Gives up rows at the ends in which almost nothing is; the sums of rows must be those of the
    /// cells.
    Status narrow_rows(Share& truncated);
    /// Gives up angles and columns likewise; the sums of angles must be those of the cells. The
    /// next scattering reports the lost weight.
    Status narrow();
    /// The weight that was given up, [row], counts as lost.
    void lose(std::vector<double> const& given_up, Share& truncated) const;
    /// Widens the box so that almost no weight drifts out of it, unless it leaves the phantom. The
    /// sums of angles may be those of before a scattering.
    void widen(std::vector<Way> const& ways);
};

}  // namespace sluice::proton::marching

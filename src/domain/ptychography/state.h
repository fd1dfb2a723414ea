// State: what a reconstruction changes: the object's slices, the probe's modes, the positions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "domain/ptychography/planar.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

template <class Real>
struct State {
    std::vector<Planar<Real>> object = {};  ///< [slice], each a canvas
    std::vector<Planar<Real>> probe = {};   ///< [mode], each a window
    /// [mode], windows: what patterns may add to the first mode.
    std::vector<Planar<Real>> opr_modes = {};
    /// [pattern][1 + opr_modes]: factors of all modes, and of opr_modes; empty: 1 and 0.
    std::vector<double> opr_weights = {};
    std::vector<stem4d::Position> positions = {};  ///< of the windows' first pixels on the canvas
    /// Shifts of the patterns on the detector in its pixels; empty: none.
    std::vector<stem4d::Position> descan = {};
    /// [row][col] of a pattern, added to what the wave gives; empty: none.
    std::vector<Real> background = {};
    double slice_nm = 0;                  ///< from one slice to the next
    std::array<double, 2> tilt_rad = {};  ///< of the specimen, (row, col)
    /// Where positions were when the stage began, and whether they were put back there and rest.
    std::vector<stem4d::Position> stage_positions = {};
    bool positions_rest = false;
    std::array<double, 4> affine_speed = {};  ///< of positions that move by one affine map
    std::array<double, 3> slices_speed = {};  ///< of slice_nm and tilt_rad

    bool varies() const { return !opr_weights.empty(); }
    std::span<double> weights_of(index j) {
        std::size_t const n = opr_modes.size() + 1;
        return std::span(opr_weights).subspan(static_cast<std::size_t>(j) * n, n);
    }
    std::span<double const> weights_of(index j) const {
        std::size_t const n = opr_modes.size() + 1;
        return std::span(opr_weights).subspan(static_cast<std::size_t>(j) * n, n);
    }
};

}  // namespace sluice::ptycho

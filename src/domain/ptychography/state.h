// State: what a reconstruction changes: the object's slices, the probe's modes, the positions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

template <class Real>
struct State {
    std::vector<Planar<Real>> object = {};         ///< [slice], each a canvas
    std::vector<Planar<Real>> probe = {};          ///< [mode], each a window
    std::vector<stem4d::Position> positions = {};  ///< of the windows' first pixels on the canvas
    /// Shifts of the patterns on the detector in its pixels; empty: none.
    std::vector<stem4d::Position> descan = {};
    /// [row][col] of a pattern, added to what the wave gives; empty: none.
    std::vector<Real> background = {};
};

}  // namespace sluice::ptycho

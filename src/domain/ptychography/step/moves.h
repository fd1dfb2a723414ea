// Moves by parts of a pixel: factors of a spectrum, and what gradients say of the position.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/model.h"

namespace sluice::ptycho {

/// exp(-2 pi i k d sign / side), d the place's part of a pixel: [2 side] real parts of rows and
/// then columns, and as many imaginary ones.
void set_factors(index side, WindowPlace const& place, double sign, std::vector<float>& factors);

/// exp(+2 pi i d r / side), r from the middle of the window on: what moves a wave's spectrum by d.
/// [2 side] and [2 side], as above.
void set_ramp(index side, stem4d::Position d, std::vector<float>& factors);

/// Adds dL/d(row, col) = 2 sum k Im(conj(G) exp(-i k d) F P), over spectra in the order of the
/// passes. `factors` are those of the way back (sign -1).
void add_position(index side, float const* probe, float const* g, std::vector<float> const& factors,
                  std::array<double, 2>& position);

}  // namespace sluice::ptycho

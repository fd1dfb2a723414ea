// Gauss and Newton's step for the positions of the windows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Moves every position against its gradient of the round, by at most 0.1 pixel. What all move
/// alike is taken off: it belongs to the object. Windows stay on the canvas.
template <class Real>
void refine_positions(Job<Real>& job);

}  // namespace sluice::ptycho

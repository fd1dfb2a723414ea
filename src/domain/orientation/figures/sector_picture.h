// The sector of a phase as a picture: colours inside, its outline, and the names of its corners.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "domain/orientation/figures/projection.h"
#include "figure/drawing.h"

namespace sluice::orient {

/// Drawn stereographically or by equal area, in the frame of the class: x to the right, y up. About
/// `side` pixels; `colour` is of a direction in that frame.
figure::Drawing sector_picture(stem4d::CrystalPhase const& phase, index side, double cap,
                               stem4d::PoleProjection projection,
                               std::function<figure::Rgb(Vector3 const&)> const& colour);

}  // namespace sluice::orient

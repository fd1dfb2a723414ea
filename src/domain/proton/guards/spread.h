// How wide a beam has become, beside Fermi and Eyges, and how far its ranges have spread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton.h"

namespace sluice::proton::guards {

/// Sets `place_off`, `angle_off` and `range_off`: where the standard deviations of x, of angles and
/// of ranges of what flies are farthest from what theory says with the same scattering power and
/// straggling. Up to 0.9 of the range, as far as all that the beam meets on its way is the same
/// side by side, and as long as it is inside of the phantom. Ranges are compared where they are
/// spread by more than a plane, up to three standard deviations before the beam stops. Without
/// `straggling` they do not spread on the way.
void beside_theory(Physics const& physics, Phantom const& phantom, Beam const& beam,
                   MarchResult& result, bool straggling = true);

}  // namespace sluice::proton::guards

// Beams and grids that cannot be marched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton.h"

namespace sluice::proton::marching {

Status check(Physics const& physics, Phantom const& phantom, Beam const& beam,
             MarchOptions const& options);

}  // namespace sluice::proton::marching

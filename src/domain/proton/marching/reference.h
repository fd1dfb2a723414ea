// The operators of a step once more, slow and obviously right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/kernels.h"

namespace sluice::proton::marching::reference {

/// What every other table of kernels is compared with: plain loops that follow the formulas one
/// number at a time, computed in double whatever the state is kept in.
Kernels<float> const& kernels_f32();
Kernels<double> const& kernels_f64();

}  // namespace sluice::proton::marching::reference

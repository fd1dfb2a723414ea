// The best model of a crop without a disk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/fit_kernels.h"

namespace sluice::crystal {

/// Of the same background as `model`, with the height 0. It is exact for a shape, and three steps
/// from there for a plane.
Model null_model(FitKernels const& kernels, Crop const& crop, Model const& model);

}  // namespace sluice::crystal

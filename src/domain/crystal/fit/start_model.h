// What a fit starts with: height and background by the correlation with the template.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/fit/crops.h"

namespace sluice::crystal {

/// Puts height and background into a model. `sums` are of this crop.
void start_model(KernelSums const& sums, Crop const& crop, Model& model);

}  // namespace sluice::crystal

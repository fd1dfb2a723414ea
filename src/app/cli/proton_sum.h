// What several beams leave together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton.h"

namespace sluice::cli {

/// Adds another beam's result on the same grid, all that depth curves and pictures are made of.
void add(proton::MarchResult& to, proton::MarchResult const& r);

}  // namespace sluice::cli

// The tables of what lattices are fitted and strain is told with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/strain.h"

namespace sluice::stem4d {

config::Fields<LatticeOptions> lattice_fields();
/// Without the reference and its region, which are arrays and files.
config::Fields<StrainOptions> strain_fields();

}  // namespace sluice::stem4d

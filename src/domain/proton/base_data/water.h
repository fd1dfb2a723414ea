// The water through which base data are marched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/proton_base_data.h"

namespace sluice::proton {

/// Columns of its planes: wide enough for the beam and its halo at the end of the range.
index base_columns(Physics const& physics, double energy, BaseDataOptions const& options);

}  // namespace sluice::proton

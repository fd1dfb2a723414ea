// Depth doses between those of two energies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/proton_machine.h"

namespace sluice::proton {

/// The kernel of a mean energy between those of two. Depths are stretched to its range, which goes
/// with a power of the energy; doses so that what all deposit stays in proportion to the energy.
BaseEnergy kernel_between(BaseEnergy const& below, BaseEnergy const& above, double energy);

/// The depth behind the peak where the dose is 80 % of the highest; nothing where it is not.
std::optional<double> range_of(BaseEnergy const& kernel);

}  // namespace sluice::proton

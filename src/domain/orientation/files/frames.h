// The frames of crystals in files of other programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/orientation.h"
#include "sluice/unit_cell.h"

namespace sluice::orient {

/// Takes our frame of a crystal (x along a, z along c*) to Oxford's: x along a*, z along c.
stem4d::Orientation to_oxford(stem4d::UnitCell const& cell);

}  // namespace sluice::orient

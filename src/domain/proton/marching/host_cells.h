// The state's values here, worked on by an instruction set or the reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/cells.h"

namespace sluice::proton::marching {

template <class Real>
std::unique_ptr<Cells<Real>> make_host_cells(Device const& device, index angles, index stride,
                                             RangeRows const& rows);

}  // namespace sluice::proton::marching

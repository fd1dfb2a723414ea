// The state's values on a device out of the host's reach.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/cells.h"

namespace sluice::proton::marching {

template <class Real>
Result<std::unique_ptr<Cells<Real>>> make_remote_cells(Device const& device, index angles,
                                                       index stride, RangeRows const& rows);

}  // namespace sluice::proton::marching

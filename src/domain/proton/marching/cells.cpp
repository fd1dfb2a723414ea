// The cells of a state by device.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/cells.h"

#include "domain/proton/marching/host_cells.h"
#include "domain/proton/marching/remote_cells.h"

namespace sluice::proton::marching {

template <class Real>
Water<Real>::Water(RangeRows const& rows)
    : energy(rows.energy.begin(), rows.energy.end()),
      bend(rows.bend.begin(), rows.bend.end()),
      up(rows.up.begin(), rows.up.end()),
      down(rows.down.begin(), rows.down.end()),
      far(rows.far.begin(), rows.far.end()),
      loss(rows.loss.begin(), rows.loss.end()),
      fall(rows.fall) {}

template <class Real>
Result<std::unique_ptr<Cells<Real>>> make_cells(Device const& device, index angles, index stride,
                                                RangeRows const& rows) {
    if (device.remote()) return make_remote_cells<Real>(device, angles, stride, rows);
    return make_host_cells<Real>(device, angles, stride, rows);
}

template struct Water<float>;
template struct Water<double>;
template Result<std::unique_ptr<Cells<float>>> make_cells(Device const&, index, index,
                                                          RangeRows const&);
template Result<std::unique_ptr<Cells<double>>> make_cells(Device const&, index, index,
                                                           RangeRows const&);

}  // namespace sluice::proton::marching

// Axes of a cell out of their lengths and angles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/cif/metric.h"
#include "sluice/orientation.h"

namespace sluice::orient {

/// a, b, c with x along a and z along c*.
std::array<stem4d::Vector3, 3> cartesian(crystal::Axes3 const& metric);
/// a*, b*, c* of a, b, c, without 2 pi.
std::array<stem4d::Vector3, 3> reciprocal(std::array<stem4d::Vector3, 3> const& axes);

}  // namespace sluice::orient

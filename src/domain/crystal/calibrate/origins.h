// What both ways to measure origins share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

Status check_origin_options(stem4d::OriginOptions const& options);
/// NaN everywhere, for one reason.
stem4d::Origins no_origins(std::array<index, 2> scan, stem4d::OriginReason reason);
/// `covariance` is that of the row, of the column, and of both.
void put_origin(stem4d::Origins& into, index pattern, stem4d::Point at,
                std::array<double, 3> const& covariance);
index measured(stem4d::Origins const& origins);

}  // namespace sluice::crystal

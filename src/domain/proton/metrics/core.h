// The Gaussian in the middle of a profile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace sluice::proton {

/// Its standard deviation in columns, of those around the highest with at least `part` of it, less
/// a column's own. NaN where these are fewer than 3 or not Gaussian.
double core_of(std::span<double const> line, double part);

}  // namespace sluice::proton

// What flies out of the plane of z and x in a dense step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/dense/kernels.h"

namespace sluice::proton::dense {

/// Weights that land before the first plane, behind the last one, and beside the columns.
struct Leaks {
    double front = 0, end = 0, left = 0, right = 0;
};

/// Of lines [low, high) of what flies.
template <class Real>
Leaks leaks_of(Padded<Real> const& from, index low, index high, Flight<Real> const& flight,
               index planes);

}  // namespace sluice::proton::dense

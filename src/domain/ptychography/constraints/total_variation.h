// Total variation: edges stay and noise goes, by the dual of Rudin, Osher and Fatemi's problem.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"

namespace sluice::ptycho {

/// Puts u in the place of f, near the least of |u - f|^2 / 2 + weight TV(u). TV is isotropic over
/// rows and columns, and one for real and imaginary parts together, so that no common phase
/// matters (A. Chambolle, 10.1023/B:JMIV.0000011325.36760.1e). Edges of the canvas count as flat.
template <class Real>
class TotalVariation {
  public:
    /// `steps` of the dual, which begins where the last call left it. For each pixel and step it
    /// reads ten numbers and writes four. Bits do not depend on threads.
    void apply(std::vector<Planar<Real>>& object, double weight, index steps, int threads);

    /// Rows and columns of the dual, [slice]; empty before the first call.
    struct Dual {
        Planar<Real> by_row, by_col;
    };
    std::vector<Dual> dual = {};
};

extern template class TotalVariation<float>;
extern template class TotalVariation<double>;

}  // namespace sluice::ptycho

// Metric: lengths and angles between reciprocal vectors of a cell.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/unit_cell.h"

namespace sluice::crystal {

/// a* . a*, a* . b* and so on, in 1/ångström^2.
struct Metric {
    double aa = 0, bb = 0, cc = 0, ab = 0, ac = 0, bc = 0;

    double dot(stem4d::Indices const& g, stem4d::Indices const& h) const {
        return g[0] * h[0] * aa + g[1] * h[1] * bb + g[2] * h[2] * cc +
               (g[0] * h[1] + g[1] * h[0]) * ab + (g[0] * h[2] + g[2] * h[0]) * ac +
               (g[1] * h[2] + g[2] * h[1]) * bc;
    }
};
/// Of a cell that has passed check_cell().
Metric reciprocal_metric(stem4d::UnitCell const& cell);

/// By symmetry or by the places of the atoms.
bool is_absent(stem4d::UnitCell const& cell, stem4d::Indices const& hkl);

}  // namespace sluice::crystal

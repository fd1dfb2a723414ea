// Metric: lengths and angles between the axes of a cell, and between its reciprocal vectors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>

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
/// The volume of the cell over a b c; 0 where angles enclose none.
double volume_part(stem4d::UnitCell const& cell);

/// Of a cell that has passed check_cell().
Metric reciprocal_metric(stem4d::UnitCell const& cell);

/// Rows and columns for a, b, c.
using Axes3 = std::array<std::array<double, 3>, 3>;
/// a . a, a . b and so on, in ångström^2, of a cell that has passed check_cell().
Axes3 direct_metric(stem4d::UnitCell const& cell);
/// The metric that operations leave as it is, nearest to another: its mean over them.
Axes3 averaged(Axes3 const& metric, std::span<stem4d::SymmetryOperation const> operations);
/// Whether operations leave lengths and angles as they are, within what files round: one percent.
bool fits_axes(stem4d::UnitCell const& cell, std::span<stem4d::SymmetryOperation const> operations);

/// Reflections that symmetry allows, up to a frequency; the lowest first. Errors: those of
/// reflections().
Result<std::vector<std::pair<stem4d::Indices, double>>> allowed_reflections(
    stem4d::UnitCell const& cell, double most_frequency);

/// By symmetry or by the places of the atoms.
bool is_absent(stem4d::UnitCell const& cell, stem4d::Indices const& hkl);

}  // namespace sluice::crystal

// The axes of a cell and of its reciprocal lattice, as Cartesian vectors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/structure/axes.h"

#include <cmath>

#include "domain/crystal/cif/metric.h"
#include "domain/orientation/vectors.h"
#include "sluice/structure_factors.h"

namespace sluice::orient {

std::array<Vector3, 3> cartesian(crystal::Axes3 const& metric) {
    // The factor of Cholesky: x along a, y in the plane of a and b, so that z is along c*.
    double const ax = std::sqrt(metric[0][0]);
    double const bx = metric[0][1] / ax, by = std::sqrt(metric[1][1] - bx * bx);
    double const cx = metric[0][2] / ax, cy = (metric[1][2] - bx * cx) / by;
    double const cz = std::sqrt(metric[2][2] - cx * cx - cy * cy);
    return {{{ax, 0, 0}, {bx, by, 0}, {cx, cy, cz}}};
}

std::array<Vector3, 3> reciprocal(std::array<Vector3, 3> const& axes) {
    auto const& [a, b, c] = axes;
    double const volume = dot(a, cross(b, c));
    return {scaled(cross(b, c), 1 / volume), scaled(cross(c, a), 1 / volume),
            scaled(cross(a, b), 1 / volume)};
}

}  // namespace sluice::orient

namespace sluice::stem4d {

std::array<Vector3, 3> axes_of(UnitCell const& cell) {
    return orient::cartesian(crystal::direct_metric(cell));
}

std::array<Vector3, 3> reciprocal_axes_of(UnitCell const& cell) {
    return orient::reciprocal(axes_of(cell));
}

double volume_of(UnitCell const& cell) {
    return cell.a * cell.b * cell.c * crystal::volume_part(cell);
}

}  // namespace sluice::stem4d

// Orientations as quaternions, and as matrices.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/orientation.h"

#include <algorithm>
#include <cmath>

#include "domain/orientation/vectors.h"

namespace sluice::stem4d {

Orientation operator*(Orientation const& a, Orientation const& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Vector3 Orientation::turn(Vector3 const& v) const {
    // v + 2 w (u x v) + 2 u x (u x v), with u the vector part.
    Vector3 const u{x, y, z}, once = orient::cross(u, v), twice = orient::cross(u, once);
    return {v[0] + 2 * (w * once[0] + twice[0]), v[1] + 2 * (w * once[1] + twice[1]),
            v[2] + 2 * (w * once[2] + twice[2])};
}

std::array<Vector3, 3> Orientation::matrix() const {
    // Row i turns back the axis i of the crystal.
    Orientation const back = inverse();
    return {back.turn({1, 0, 0}), back.turn({0, 1, 0}), back.turn({0, 0, 1})};
}

Orientation rotation_about(Vector3 const& axis, double degrees) {
    Vector3 const u = orient::unit(axis);
    double const half = degrees * orient::degree / 2, s = std::sin(half);
    return {std::cos(half), s * u[0], s * u[1], s * u[2]};
}

Orientation from_matrix(std::array<Vector3, 3> const& m) {
    // Four times the squares of the parts; the largest one is safe to divide by.
    double const trace = m[0][0] + m[1][1] + m[2][2];
    std::array<double, 4> const part{1 + trace, 1 + 2 * m[0][0] - trace, 1 + 2 * m[1][1] - trace,
                                     1 + 2 * m[2][2] - trace};
    double const xy = m[1][0] + m[0][1], xz = m[2][0] + m[0][2], yz = m[2][1] + m[1][2];
    double const wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    Orientation out;
    switch (std::ranges::max_element(part) - part.begin()) {
        case 0:
            out = {part[0], wx, wy, wz};
            break;
        case 1:
            out = {wx, part[1], xy, xz};
            break;
        case 2:
            out = {wy, xy, part[2], yz};
            break;
        default:
            out = {wz, xz, yz, part[3]};
            break;
    }
    double const n = std::sqrt(out.w * out.w + out.x * out.x + out.y * out.y + out.z * out.z);
    if (!(n > 0)) return {};
    return {out.w / n, out.x / n, out.y / n, out.z / n};
}

}  // namespace sluice::stem4d

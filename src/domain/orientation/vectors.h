// Products of vectors in space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "sluice/orientation.h"

namespace sluice::orient {

using stem4d::Vector3;

inline constexpr double degree = std::numbers::pi / 180;

inline double square(double x) {
    return x * x;
}
inline double dot(Vector3 const& a, Vector3 const& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector3 cross(Vector3 const& a, Vector3 const& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector3 scaled(Vector3 const& v, double factor) {
    return {v[0] * factor, v[1] * factor, v[2] * factor};
}
inline Vector3 sum(Vector3 const& a, Vector3 const& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline double length(Vector3 const& v) {
    return std::sqrt(dot(v, v));
}
/// z where there is no direction.
inline Vector3 unit(Vector3 const& v) {
    double const n = length(v);
    return n > 0 && std::isfinite(n) ? scaled(v, 1 / n) : Vector3{0, 0, 1};
}
/// Of two of length 1, in radian; exact for small angles, too.
inline double angle_between(Vector3 const& a, Vector3 const& b) {
    return std::atan2(length(cross(a, b)), dot(a, b));
}

}  // namespace sluice::orient

// The squared distance from the origin to a segment, a triangle, a tetrahedron.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::proton {

template <std::size_t N>
using Vector = std::array<double, N>;

template <std::size_t N>
Vector<N> minus(Vector<N> const& a, Vector<N> const& b) {
    Vector<N> out;
    for (std::size_t i = 0; i < N; ++i) out[i] = a[i] - b[i];
    return out;
}

template <std::size_t N>
double dot(Vector<N> const& a, Vector<N> const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
}

template <std::size_t N>
double to_segment(Vector<N> const& a, Vector<N> const& b) {
    Vector<N> const d = minus(b, a);
    double const length = dot(d, d);
    double const t = length > 0 ? std::clamp(-dot(a, d) / length, 0.0, 1.0) : 0;
    Vector<N> p;
    for (std::size_t i = 0; i < N; ++i) p[i] = a[i] + t * d[i];
    return dot(p, p);
}

template <std::size_t N>
double to_triangle(Vector<N> const& a, Vector<N> const& b, Vector<N> const& c) {
    Vector<N> const u = minus(b, a), v = minus(c, a);
    double const uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    double const au = -dot(a, u), av = -dot(a, v);
    double const s = au * vv - av * uv, t = av * uu - au * uv;
    // The foot of the perpendicular lies in the triangle.
    if (det > 0 && s >= 0 && t >= 0 && s + t <= det) {
        Vector<N> p;
        for (std::size_t i = 0; i < N; ++i) p[i] = a[i] + s / det * u[i] + t / det * v[i];
        return dot(p, p);
    }
    return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

}  // namespace sluice::proton

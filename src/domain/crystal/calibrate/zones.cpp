// Spans the lattices of zones by whole numbers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/zones.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "domain/crystal/cif/metric.h"

namespace sluice::crystal {
namespace {

using stem4d::Indices;

// Multiples of both vectors of the plane that are looked at.
constexpr int reach = 6;

Indices sum_of(Indices const& p, int i, Indices const& q, int j) {
    return {i * p[0] + j * q[0], i * p[1] + j * q[1], i * p[2] + j * q[2]};
}

struct Bezout {
    int divisor, x, y;  // u x + v y = divisor
};
Bezout bezout(int u, int v) {
    if (v == 0) return {std::abs(u), u < 0 ? -1 : 1, 0};
    Bezout const b = bezout(v, u % v);
    return {b.divisor, b.y, b.x - (u / v) * b.y};
}

// All whole vectors across [u v w] are sums of these two.
std::pair<Indices, Indices> plane_of(Indices const& z) {
    if (z[0] == 0 && z[1] == 0) return {{1, 0, 0}, {0, 1, 0}};
    Bezout const b = bezout(z[0], z[1]);
    return {{z[1] / b.divisor, -z[0] / b.divisor, 0}, {-z[2] * b.x, -z[2] * b.y, b.divisor}};
}

// Gauss's: the shortest vectors of a plane's lattice, at an angle of 60 to 120 degrees.
void reduce(Metric const& m, Indices& p, Indices& q) {
    for (int round = 0; round < 1000; ++round) {
        if (m.dot(q, q) < m.dot(p, p)) std::swap(p, q);
        auto const n = static_cast<int>(std::lround(m.dot(p, q) / m.dot(p, p)));
        if (n == 0) return;
        q = sum_of(q, 1, p, -n);
    }
}

/// The lattice that pairs of whole numbers span, as (x, y) and (0, z).
class Span {
  public:
    void add(int i, int j) {
        // Euclid on the first numbers.
        while (i != 0) {
            int const n = x_ / i;
            int const x = x_ - n * i, y = y_ - n * j;
            x_ = i, y_ = j, i = x, j = y;
        }
        z_ = std::gcd(z_, j);
        if (z_ != 0) y_ %= z_;
    }
    bool whole() const { return std::abs(x_) == 1 && z_ == 1; }
    bool full() const { return x_ != 0 && z_ != 0; }
    std::array<int, 3> numbers() const { return {x_, y_, z_}; }

  private:
    int x_ = 0, y_ = 0, z_ = 0;
};

}  // namespace

std::optional<ZoneLattice> zone_lattice(stem4d::UnitCell const& cell, Indices const& zone) {
    Metric const m = reciprocal_metric(cell);
    auto [p, q] = plane_of(zone);
    reduce(m, p, q);
    Span span;
    for (int far = 1; far <= reach && !span.whole(); ++far)
        for (int i = -far; i <= far && !span.whole(); ++i)
            for (int j = -far; j <= far && !span.whole(); ++j) {
                if (std::max(std::abs(i), std::abs(j)) != far) continue;
                if (!is_absent(cell, sum_of(p, i, q, j))) span.add(i, j);
            }
    if (!span.full()) return {};
    auto const [x, y, z] = span.numbers();
    ZoneLattice out{zone, sum_of(p, x, q, y), sum_of(p, 0, q, z)};
    reduce(m, out.a, out.b);
    out.aa = m.dot(out.a, out.a), out.bb = m.dot(out.b, out.b), out.ab = m.dot(out.a, out.b);
    return out;
}

std::vector<Indices> zones_up_to(int most) {
    std::vector<Indices> all;
    for (int u = -most; u <= most; ++u)
        for (int v = -most; v <= most; ++v)
            for (int w = -most; w <= most; ++w) {
                Indices const z{u, v, w};
                auto const* const first = std::ranges::find_if(z, [](int i) { return i != 0; });
                if (first == z.end() || *first < 0 || std::gcd(std::gcd(u, v), w) != 1) continue;
                all.push_back(z);
            }
    auto const size = [](Indices const& z) { return z[0] * z[0] + z[1] * z[1] + z[2] * z[2]; };
    auto const negative = [](Indices const& z) {
        return std::ranges::count_if(z, [](int i) { return i < 0; });
    };
    std::ranges::stable_sort(all, [&](Indices const& y, Indices const& z) {
        return size(y) != size(z) ? size(y) < size(z) : negative(y) < negative(z);
    });
    return all;
}

}  // namespace sluice::crystal

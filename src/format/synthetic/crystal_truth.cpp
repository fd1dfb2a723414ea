// Lattices and disks of synthetic crystals, by formulas alone.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "format/synthetic/crystal.h"
#include "format/synthetic/random.h"

namespace sluice::synthetic {
namespace {

constexpr double degree = std::numbers::pi / 180;
// Streams of random numbers that no frame has.
constexpr std::uint64_t grain_stream = ~std::uint64_t{1}, disk_stream = ~std::uint64_t{2};
// Of the smaller side: the standard deviation of the disks' envelope.
constexpr double envelope = 0.35;

struct Matrix {
    double rr = 1, rc = 0, cr = 0, cc = 1;  // row by row

    Vector operator*(Vector const& v) const {
        return {rr * v[0] + rc * v[1], cr * v[0] + cc * v[1]};
    }
    Matrix operator*(Matrix const& m) const {
        return {rr * m.rr + rc * m.cr, rr * m.rc + rc * m.cc, cr * m.rr + cc * m.cr,
                cr * m.rc + cc * m.cc};
    }
    Matrix inverse_transposed() const {
        double const det = rr * cc - rc * cr;
        return {cc / det, -cr / det, -rc / det, rr / det};
    }
};

/// Turns the row axis towards the column axis.
Matrix turn(double degrees) {
    double const c = std::cos(degrees * degree), s = std::sin(degrees * degree);
    return {c, -s, s, c};
}

double factor_at(CrystalOptions const& o, index column) {
    auto const cols = o.common.scan[1];
    if (o.field == StrainField::uniform) return 1;
    if (o.field == StrainField::step) return 2 * column >= cols ? 1 : 0;
    return cols == 1 ? 0 : static_cast<double>(column) / static_cast<double>(cols - 1) - 0.5;
}

/// The grain whose seed is nearest.
index grain_at(CrystalOptions const& o, index row, index column) {
    Uniform u(frame_key(o.common.seed, grain_stream));
    index nearest = 0;
    double least = INFINITY;
    for (index g = 0; g < o.grains; ++g) {
        double const r = u.next() * static_cast<double>(o.common.scan[0]);
        double const c = u.next() * static_cast<double>(o.common.scan[1]);
        double const d = std::hypot(r - static_cast<double>(row), c - static_cast<double>(column));
        if (d < least) least = d, nearest = g;
    }
    return nearest;
}

double turn_of(CrystalOptions const& o, index grain) {
    if (grain == 0) return 0;
    Uniform u(frame_key(o.common.seed, grain_stream - 8 * static_cast<std::uint64_t>(grain)));
    return o.grain_turn * (2 * u.next() - 1);
}

/// Between 10^-decades and 1, the same for Friedel's pairs.
double weight_of(CrystalOptions const& o, int h, int k, double length) {
    if (h == 0 && k == 0) return o.direct;
    if (h < 0 || (h == 0 && k < 0)) h = -h, k = -k;
    // At most 4000 disks are on a detector, so that a wide stride keeps their numbers apart.
    auto const number =
        static_cast<std::uint64_t>(h) * 65536 + static_cast<std::uint64_t>(k + 32768);
    Uniform u(mix(frame_key(o.common.seed, disk_stream) + number * golden));
    double const side = static_cast<double>(std::min(o.common.detector[0], o.common.detector[1]));
    double const x = length / (envelope * side);
    return std::pow(10, -o.decades * u.next()) * std::exp(-0.5 * x * x);
}

}  // namespace

CrystalTruth crystal_truth(CrystalOptions const& o, index row, index column) {
    CrystalTruth t;
    double const v = static_cast<double>(row) / static_cast<double>(o.common.scan[0]);
    double const u = static_cast<double>(column) / static_cast<double>(o.common.scan[1]);
    double const wave = 2 * std::numbers::pi, wobble = o.common.wobble;
    t.origin = {static_cast<double>(o.common.detector[0] - 1) / 2 +
                    wobble * std::sin(wave * (0.55 * v + 0.15 * u)),
                static_cast<double>(o.common.detector[1] - 1) / 2 +
                    wobble * std::cos(wave * (0.45 * u - 0.10 * v))};
    t.factor = factor_at(o, column);
    t.grain = grain_at(o, row, column);
    t.grain_degrees = turn_of(o, t.grain);
    Matrix const stretch{1 + t.factor * o.strain[0], t.factor * o.strain[2], t.factor * o.strain[2],
                         1 + t.factor * o.strain[1]};
    Matrix const f = turn(t.factor * o.strain[3]) * stretch;
    Matrix const all = turn(t.grain_degrees) * f.inverse_transposed();
    t.g1 = all * o.g1;
    t.g2 = all * o.g2;
    return t;
}

std::vector<CrystalDisk> crystal_disks(CrystalOptions const& o, index row, index column) {
    CrystalTruth const t = crystal_truth(o, row, column);
    auto const rows = static_cast<double>(o.common.detector[0]);
    auto const cols = static_cast<double>(o.common.detector[1]);
    double const area = std::fabs(t.g1[0] * t.g2[1] - t.g1[1] * t.g2[0]);
    double const reach = std::hypot(rows, cols) / area;
    int const most_h = static_cast<int>(std::ceil(reach * std::hypot(t.g2[0], t.g2[1])));
    int const most_k = static_cast<int>(std::ceil(reach * std::hypot(t.g1[0], t.g1[1])));
    std::vector<CrystalDisk> disks;
    double sum = 0;
    for (int h = -most_h; h <= most_h; ++h)
        for (int k = -most_k; k <= most_k; ++k) {
            double const y = h * t.g1[0] + k * t.g2[0], x = h * t.g1[1] + k * t.g2[1];
            CrystalDisk const d{h, k, t.origin[0] + y, t.origin[1] + x,
                                weight_of(o, h, k, std::hypot(y, x))};
            if (!(d.row >= -0.5 && d.col >= -0.5 && d.row < rows - 0.5 && d.col < cols - 0.5))
                continue;
            disks.push_back(d);
            sum += d.height;
        }
    double const pixels = std::numbers::pi * o.radius() * o.radius();
    double const each = sum > 0 ? o.common.dose * (1 - o.background) / (sum * pixels) : 0;
    for (CrystalDisk& d : disks) d.height *= each;
    std::ranges::stable_sort(disks, std::greater<>(), &CrystalDisk::height);
    return disks;
}

}  // namespace sluice::synthetic

// Affine maps by their normal equations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/refine/affine.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace sluice::ptycho {

namespace {

constexpr std::size_t unknowns = 6;  // (shift, by row, by column) of rows, then of columns
using Equations = std::array<std::array<double, unknowns + 1>, unknowns>;

// By elimination with pivots; what the positions do not tell (all on a line) becomes 0.
std::array<double, unknowns> solution_of(Equations a) {
    double largest = 0;
    for (std::size_t i = 0; i < unknowns; ++i) largest = std::max(largest, a[i][i]);
    for (std::size_t i = 0; i < unknowns; ++i) a[i][i] += 1e-9 * largest;
    std::array<double, unknowns> x{};
    if (largest <= 0) return x;
    for (std::size_t i = 0; i < unknowns; ++i) {
        std::size_t pivot = i;
        for (std::size_t k = i + 1; k < unknowns; ++k)
            if (std::abs(a[k][i]) > std::abs(a[pivot][i])) pivot = k;
        std::swap(a[i], a[pivot]);
        for (std::size_t k = 0; k < unknowns; ++k) {
            if (k == i) continue;
            double const f = a[k][i] / a[i][i];
            for (std::size_t j = i; j <= unknowns; ++j) a[k][j] -= f * a[i][j];
        }
    }
    for (std::size_t i = 0; i < unknowns; ++i) x[i] = a[i][unknowns] / a[i][i];
    return x;
}

}  // namespace

AffineMap best_affine(std::span<stem4d::Position const> places, std::span<Quadratic const> wanted) {
    AffineMap map;
    auto const count = static_cast<double>(places.size());
    for (auto const& p : places) {
        map.middle[0] += p.row / count;
        map.middle[1] += p.col / count;
    }
    // In units of the extent, so that no equation outweighs others.
    double extent = 1;
    for (auto const& p : places)
        extent =
            std::max({extent, std::abs(p.row - map.middle[0]), std::abs(p.col - map.middle[1])});
    Equations a{};
    for (std::size_t j = 0; j < places.size(); ++j) {
        double const base[] = {1, (places[j].row - map.middle[0]) / extent,
                               (places[j].col - map.middle[1]) / extent};
        auto const& c = wanted[j].curvature;
        double const h[2][2] = {{c[0], c[1]}, {c[1], c[2]}};
        for (std::size_t i = 0; i < unknowns; ++i) {
            for (std::size_t k = 0; k < unknowns; ++k)
                a[i][k] += base[i % 3] * h[i / 3][k / 3] * base[k % 3];
            a[i][unknowns] -= base[i % 3] * wanted[j].gradient[i / 3];
        }
    }
    auto const x = solution_of(a);
    map.shift = {x[0], x[3]};
    map.matrix = {x[1] / extent, x[2] / extent, x[4] / extent, x[5] / extent};
    return map;
}

std::string describe_affine(std::span<stem4d::Position const> before,
                            std::span<stem4d::Position const> after) {
    std::vector<Quadratic> apart;
    for (std::size_t j = 0; j < before.size(); ++j)
        apart.push_back({{before[j].row - after[j].row, before[j].col - after[j].col}, {1, 0, 1}});
    AffineMap const map = best_affine(before, apart);
    double left = 0;
    for (std::size_t j = 0; j < before.size(); ++j) {
        auto const turned = map.turn(before[j]);
        for (std::size_t i : {0U, 1U})
            left += std::pow(turned[i] + map.shift[i] + apart[j].gradient[i], 2);
    }
    double const rr = 1 + map.matrix[0], rc = map.matrix[1], cr = map.matrix[2],
                 cc = 1 + map.matrix[3];
    double const angle = std::atan2(cr - rc, rr + cc);
    // What is left of the map without its rotation.
    double const c = std::cos(angle), s = std::sin(angle);
    double const rows = c * rr + s * cr, cols = -s * rc + c * cc, shear = c * rc + s * cc;
    return fmt::format(
        "scales {:.4f} (rows) and {:.4f} (columns), rotation {:.3f} degrees, shear {:.4f}, and "
        "{:.3f} pixels (root mean square) that no affine map explains",
        rows, cols, angle * 180 / std::numbers::pi, shear,
        std::sqrt(left / static_cast<double>(before.size())));
}

}  // namespace sluice::ptycho

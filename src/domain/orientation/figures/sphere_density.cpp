// Densities of directions on a hemisphere.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/figures/sphere_density.h"

#include <algorithm>
#include <limits>

namespace sluice::orient {
namespace {

using stem4d::PoleDensity;
using stem4d::PoleProjection;

// Cells of 1.3 degrees: the narrowest kernel covers several.
constexpr index side = 128;
constexpr index cells = side * side;

double middle_of(index i) {
    return (2 * static_cast<double>(i) + 1) / static_cast<double>(side) - 1;
}

// A cell of the square: how much of it is on the disk, and where its middle looks to.
struct Cell {
    std::size_t place = 0;
    double part = 0;
    Vector3 v{};
};

double part_on_disk(index row, index col) {
    constexpr int fine = 8;
    int inside = 0;
    for (int i = 0; i < fine; ++i)
        for (int j = 0; j < fine; ++j) {
            auto const at = [](index cell, int k) {
                return 2 * (static_cast<double>(cell) + (k + 0.5) / fine) /
                           static_cast<double>(side) -
                       1;
            };
            double const x = at(col, j), y = at(row, i);
            inside += x * x + y * y <= 1;
        }
    return static_cast<double>(inside) / (fine * fine);
}

std::vector<Cell> const& all_cells() {
    static std::vector<Cell> const all = [] {
        std::vector<Cell> out;
        for (index row = 0; row < side; ++row)
            for (index col = 0; col < side; ++col) {
                double const part = part_on_disk(row, col), x = middle_of(col), y = middle_of(row);
                if (part == 0) continue;
                // The middles of cells on the rim may lie outside.
                double const inward = 0.999999 / std::max(1., std::hypot(x, y));
                auto const v = from_disk(PoleProjection::equal_area, {x * inward, y * inward});
                out.push_back({static_cast<std::size_t>(row * side + col), part, *v});
            }
        return out;
    }();
    return all;
}

index cell_of(double x) {
    return std::clamp(static_cast<index>((x + 1) / 2 * static_cast<double>(side)), index{0},
                      side - 1);
}

}  // namespace

SphereDensity::SphereDensity() : counts_(static_cast<std::size_t>(cells)) {}

void SphereDensity::add(Vector3 const& direction) {
    DiskPlace const p = on_disk(PoleProjection::equal_area, unit(direction));
    counts_[static_cast<std::size_t>(cell_of(p.down) * side + cell_of(p.right))] += 1;
    all_ += 1;
}

PoleDensity SphereDensity::smeared(double halfwidth_degrees) const {
    // von Mises and Fisher's bell falls to one half there; below a thousandth it is left out.
    double const sharpness = std::log(2.) / (1 - std::cos(halfwidth_degrees * degree));
    double const least_cosine = std::max(1 - std::log(1000.) / sharpness, 0.);
    auto const& all = all_cells();
    std::vector<double> found(all.size()), even(all.size());
    double area = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        double const own = counts_[all[i].place];
        found[i] += own, even[i] += all[i].part;
        area += all[i].part;
        for (std::size_t j = 0; j < i; ++j) {
            double const cosine = std::abs(dot(all[i].v, all[j].v));
            if (cosine < least_cosine) continue;
            double const weight = std::exp(sharpness * (cosine - 1));
            found[i] += weight * counts_[all[j].place], even[i] += weight * all[j].part;
            found[j] += weight * own, even[j] += weight * all[i].part;
        }
    }
    PoleDensity out;
    out.side = side;
    out.values.assign(counts_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < all.size(); ++i) {
        double const density = all_ > 0 ? found[i] / even[i] * area / all_ : 0;
        out.values[all[i].place] = density;
        out.largest = std::max(out.largest, density);
    }
    return out;
}

double density_at(PoleDensity const& density, Vector3 const& direction) {
    DiskPlace const p = on_disk(PoleProjection::equal_area, direction);
    auto const cell = [](double x) { return (x + 1) / 2 * static_cast<double>(side) - 0.5; };
    double const row = cell(p.down), col = cell(p.right);
    double sum = 0, weights = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            double const r = std::floor(row) + i, c = std::floor(col) + j;
            if (r < 0 || c < 0 || r >= side || c >= side) continue;
            double const value = density.values[static_cast<std::size_t>(r * side + c)];
            double const weight = (1 - std::abs(row - r)) * (1 - std::abs(col - c));
            if (!std::isfinite(value) || !(weight > 0)) continue;
            sum += weight * value;
            weights += weight;
        }
    return weights > 0 ? sum / weights : 0;
}

}  // namespace sluice::orient

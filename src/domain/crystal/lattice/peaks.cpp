// Finds the maxima of a map of differences.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "domain/crystal/lattice/differences.h"

namespace sluice::crystal {
namespace {

constexpr index peak_radius = 4;
constexpr double sigma = 1.5;  // cells: a tenth of the spacing

std::array<double, 2 * peak_radius + 1> bell() {
    std::array<double, 2 * peak_radius + 1> w{};
    double sum = 0;
    for (index i = -peak_radius; i <= peak_radius; ++i) {
        auto const x = static_cast<double>(i) / sigma;
        sum += w[static_cast<std::size_t>(i + peak_radius)] = std::exp(-x * x / 2);
    }
    for (double& x : w) x /= sum;
    return w;
}

// Along lines of the map whose elements are `step` apart, and which start `line` apart.
void smooth(std::vector<double>& map, index side, index step, index line) {
    auto const w = bell();
    std::vector<double> row(static_cast<std::size_t>(side + 2 * peak_radius), 0);
    for (index r = 0; r < side; ++r) {
        for (index c = 0; c < side; ++c)
            row[static_cast<std::size_t>(c + peak_radius)] =
                map[static_cast<std::size_t>(r * line + c * step)];
        for (index c = 0; c < side; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i < w.size(); ++i)
                sum += w[i] * row[static_cast<std::size_t>(c) + i];
            map[static_cast<std::size_t>(r * line + c * step)] = sum;
        }
    }
}

// Of a parabola through three values, the middle one the largest.
double top_of(double before, double middle, double after) {
    double const bend = before - 2 * middle + after;
    return bend < 0 ? std::clamp((before - after) / (2 * bend), -0.5, 0.5) : 0;
}

bool is_maximum(Differences const& map, index row, index col) {
    double const value = map.at(row, col);
    if (!(value > 0)) return false;
    for (index i = -1; i <= 1; ++i)
        for (index j = -1; j <= 1; ++j) {
            // Of equal neighbours the first one is it.
            bool const before = i < 0 || (i == 0 && j < 0);
            double const other = map.at(row + i, col + j);
            if ((i != 0 || j != 0) && (before ? other >= value : other > value)) return false;
        }
    return true;
}

}  // namespace

std::vector<MapPeak> peaks_of(Differences const& differences) {
    if (differences.cells.empty()) return {};
    Differences map = differences;
    smooth(map.cells, map.side(), 1, map.side());
    smooth(map.cells, map.side(), map.side(), 1);
    std::vector<MapPeak> peaks;
    auto const near = map.spacing / (2 * map.cell);
    for (index i = 0; i < map.half; ++i)
        for (index j = i == 0 ? 1 : 1 - map.half; j < map.half; ++j) {
            if (std::hypot(i, j) < near || !is_maximum(map, i, j)) continue;
            double const height = map.at(i, j);
            double const row = static_cast<double>(i) +
                               top_of(map.at(i - 1, j), height, map.at(i + 1, j)),
                         col = static_cast<double>(j) +
                               top_of(map.at(i, j - 1), height, map.at(i, j + 1));
            peaks.push_back({{row * map.cell, col * map.cell}, height});
        }
    std::ranges::stable_sort(peaks, std::ranges::greater{}, &MapPeak::height);
    return peaks;
}

}  // namespace sluice::crystal

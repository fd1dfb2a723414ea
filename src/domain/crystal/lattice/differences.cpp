// Sums differences of disks into a map.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::crystal {
namespace {

using stem4d::BraggVectors;
using stem4d::Point;

constexpr index most_pairs = 4'000'000;
constexpr index most_half = 256;
constexpr double cells_a_spacing = 16;
constexpr double least_distance = 1;  // px: what lies nearer is one disk found twice

// Every `step`-th pattern that has pairs, so that there are not too many.
template <class Work>
void for_patterns(BraggVectors const& v, index step, Work const& work) {
    index seen = 0;
    for (index p = 0; p < v.patterns(); ++p)
        if (v.count(p) > 1 && seen++ % step == 0)
            work(static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]),
                 static_cast<std::size_t>(v.first[static_cast<std::size_t>(p) + 1]));
}

index step_of(BraggVectors const& v) {
    index pairs = 0;
    for (index p = 0; p < v.patterns(); ++p) pairs += v.count(p) * (v.count(p) - 1) / 2;
    return pairs / most_pairs + 1;
}

Point difference(BraggVectors const& v, std::size_t i, std::size_t j) {
    return {static_cast<double>(v.row[j]) - static_cast<double>(v.row[i]),
            static_cast<double>(v.col[j]) - static_cast<double>(v.col[i])};
}

// A distance that a fifth of the disks have a neighbour within: disks that were found twice are
// fewer, and missing neighbours make the others longer.
double spacing_of(BraggVectors const& v, index step) {
    std::vector<double> squares;
    for_patterns(v, step, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t j = from; j < to; ++j) {
                Point const d = difference(v, i, j);
                double const square = d.row * d.row + d.col * d.col;
                if (square >= least_distance * least_distance) least = std::min(least, square);
            }
            if (std::isfinite(least)) squares.push_back(least);
        }
    });
    if (squares.empty()) return 0;
    auto const fifth = squares.begin() + std::ssize(squares) / 5;
    std::nth_element(squares.begin(), fifth, squares.end());
    return std::sqrt(*fifth);
}

// Onto four cells, so that sums over them keep the place. False: it lies beyond the map.
bool add_to(Differences& map, Point d) {
    double const row = d.row / map.cell, col = d.col / map.cell;
    double const i = std::floor(row), j = std::floor(col), u = row - i, w = col - j;
    auto const half = static_cast<double>(map.half);
    if (!(i >= -half && i < half && j >= -half && j < half)) return false;
    auto const at = static_cast<std::size_t>((static_cast<index>(i) + map.half) * map.side() +
                                             static_cast<index>(j) + map.half);
    auto const next = static_cast<std::size_t>(map.side());
    map.cells[at] += (1 - u) * (1 - w), map.cells[at + 1] += (1 - u) * w;
    map.cells[at + next] += u * (1 - w), map.cells[at + next + 1] += u * w;
    return true;
}

}  // namespace

Differences differences_of(BraggVectors const& v) {
    Differences map;
    index const step = step_of(v);
    map.spacing = spacing_of(v, step);
    if (map.spacing == 0) return map;
    map.cell = map.spacing / cells_a_spacing;
    auto const longest =
        static_cast<double>(std::max(v.detector_shape[0], v.detector_shape[1])) / map.cell;
    map.half = static_cast<index>(std::min(longest + 2, static_cast<double>(most_half)));
    map.cells.assign(static_cast<std::size_t>(map.side() * map.side()), 0);
    for_patterns(v, step, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            for (std::size_t j = i + 1; j < to; ++j) {
                Point const d = difference(v, i, j);
                if (d.row * d.row + d.col * d.col < least_distance * least_distance) continue;
                if (add_to(map, d) && add_to(map, {-d.row, -d.col})) ++map.pairs;
            }
    });
    return map;
}

}  // namespace sluice::crystal

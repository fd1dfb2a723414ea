// Patterns with a known bright-field disk, for tests: every size, neighbours, beam stops and noise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// One member of the family; lengths in pixels, heights in parts of the direct beam.
struct DiskCase {
    index rows = 96, cols = 96;
    Disk truth;
    double counts = 1e5;       ///< of a pixel inside of the direct beam
    double edge = 0.3;         ///< width (sigma) of the edges
    double background = 0.02;  ///< even, all over
    double halo = 0;           ///< height of diffuse scattering around the beam
    double structure = 0;      ///< depth of fringes and rings inside the beam, as in CBED
    int neighbours = 0;        ///< Bragg disks around it, in pairs
    double bragg = 0;          ///< their height
    double away = 2;           ///< their distance, in radii: at 2 they touch
    double angle = 0;          ///< of the first of them
    int stop = 0;              ///< 1: a beam stop from an edge to the centre, 2: across
    double stop_width = 0;     ///< in radii
    int hot = 0;               ///< hot pixels, singly and in pairs
    unsigned seed = 1;

    std::string text() const {
        return std::to_string(rows) + "x" + std::to_string(cols) + " at " +
               std::to_string(truth.center.row) + ", " + std::to_string(truth.center.col) + " r " +
               std::to_string(truth.radius) + " counts " + std::to_string(counts) + " edge " +
               std::to_string(edge) + " halo " + std::to_string(halo) + " " +
               std::to_string(neighbours) + " of " + std::to_string(bragg) + " at " +
               std::to_string(away) + " stop " + std::to_string(stop) + " " +
               std::to_string(stop_width) + " hot " + std::to_string(hot) + " seed " +
               std::to_string(seed);
    }
};

/// What is left of a convergent beam at a place of its disk, between 1 - depth and 1: rings about
/// the centre and fringes across, with periods of its radius.
inline double structure_at(double depth, double row, double col, double radius) {
    double const ring = std::cos(6 * std::hypot(row, col) / radius);
    double const fringe = std::cos(7 * (0.8 * row + 0.6 * col) / radius);
    return 1 - depth * (2 + ring + fringe) / 4;
}

/// The part of a disk with an edge of Gaussian width that is seen at a distance from its centre.
inline double soft_disk(double distance, double radius, double edge) {
    return 0.5 * std::erfc((distance - radius) / (std::sqrt(2.0) * edge));
}

inline Array<double> draw(DiskCase const& k) {
    std::mt19937 random(k.seed);
    std::vector<Disk> disks{k.truth};
    for (int i = 0; i < k.neighbours; ++i) {
        double const angle = k.angle + 2 * 3.141592653589793 * i / k.neighbours;
        double const away = k.away * k.truth.radius;
        disks.push_back({{k.truth.center.row + away * std::sin(angle),
                          k.truth.center.col + away * std::cos(angle)},
                         k.truth.radius});
    }
    Array<double> out = Array<double>::zeros({k.rows, k.cols});
    for (index r = 0; r < k.rows; ++r)
        for (index c = 0; c < k.cols; ++c) {
            // Finer than a pixel on edges, so that small disks cover the right part of each.
            auto const on_edge = [&](Disk const& d) {
                double const distance = std::hypot(static_cast<double>(r) - d.center.row,
                                                   static_cast<double>(c) - d.center.col);
                return std::abs(distance - k.truth.radius) < 1 + 4 * k.edge;
            };
            int const fine = k.stop > 0 || std::ranges::any_of(disks, on_edge) ? 5 : 1;
            double sum = 0;
            for (int i = 0; i < fine * fine; ++i) {
                double const y = static_cast<double>(r) + (i / fine + 0.5) / fine - 0.5;
                double const x = static_cast<double>(c) + (i % fine + 0.5) / fine - 0.5;
                double v = k.background;
                for (std::size_t d = 0; d < disks.size(); ++d) {
                    double const distance =
                        std::hypot(y - disks[d].center.row, x - disks[d].center.col);
                    double const inside =
                        d == 0 ? structure_at(k.structure, y - disks[0].center.row,
                                              x - disks[0].center.col, k.truth.radius)
                               : k.bragg;
                    v += inside * soft_disk(distance, k.truth.radius, k.edge);
                    if (d == 0) v += k.halo * std::exp(-distance / (1.5 * k.truth.radius + 3));
                }
                double const across = x - k.truth.center.col, along = y - k.truth.center.row;
                bool const stopped = k.stop > 0 &&
                                     std::abs(across) < 0.5 * k.stop_width * k.truth.radius &&
                                     (k.stop == 2 || along < 0);
                sum += stopped ? 0.002 : v;
            }
            out.values[static_cast<std::size_t>(r * k.cols + c)] = sum / (fine * fine);
        }
    for (double& v : out.values) {
        double const mean = v * k.counts;
        v = mean > 1e6 ? std::round(mean + std::sqrt(mean) * std::normal_distribution<>()(random))
                       : static_cast<double>(std::poisson_distribution<std::int64_t>(mean)(random));
    }
    for (int i = 0; i < k.hot; ++i) {
        auto const at = static_cast<index>(random() % out.values.size());
        double const v = k.counts * std::uniform_real_distribution<>(5, 50)(random);
        out.values[static_cast<std::size_t>(at)] = v;
        if (i % 3 == 2 && at + 1 < out.size()) out.values[static_cast<std::size_t>(at + 1)] = v;
    }
    return out;
}

/// A random member: all of what a disk can look like, at once and one by one.
inline DiskCase random_case(unsigned seed) {
    std::mt19937 random(seed);
    auto const even = [&](double low, double high) {
        return std::uniform_real_distribution<>(low, high)(random);
    };
    auto const one_of = [&](std::initializer_list<double> values) {
        return values.begin()[random() % values.size()];
    };
    DiskCase k;
    k.seed = seed;
    k.rows = static_cast<index>(one_of({64, 96, 96, 128, 192}));
    k.cols = even(0, 1) < 0.3 ? static_cast<index>(one_of({48, 64, 96, 160, 256})) : k.rows;
    auto const side = static_cast<double>(std::min(k.rows, k.cols));
    k.truth.radius = 2 * std::pow(0.6 * side / 2, even(0, 1));
    double const off = even(0, 1) < 0.5 ? 0.03 : 0.2;
    k.truth.center = {(static_cast<double>(k.rows) - 1) / 2 + off * side * even(-1, 1),
                      (static_cast<double>(k.cols) - 1) / 2 + off * side * even(-1, 1)};
    k.edge = even(0, 1) < 0.5 ? 0.3 : even(0.3, 0.3 + 0.1 * k.truth.radius);
    // What a disk needs to be seen at all are some hundred electrons, whatever its size.
    double const electrons = 3e2 * std::pow(1e5, even(0, 1));
    k.counts = std::max(electrons / (3.14159 * k.truth.radius * k.truth.radius), 0.3);
    k.background = even(0, 0.03);
    k.halo = even(0, 1) < 0.3 ? even(0, 0.15) : 0;
    if (even(0, 1) < 0.6) {
        k.neighbours = static_cast<int>(one_of({2, 4, 6}));
        k.bragg = even(0.1, 1);
        k.away = even(0, 1) < 0.4 ? 2 : even(2, 3.5);
        k.angle = even(0, 6.3);
    }
    if (k.truth.radius > 6 && even(0, 1) < 0.2) {
        k.stop = even(0, 1) < 0.5 ? 1 : 2;
        k.stop_width = even(0.1, 0.33);
    }
    if (even(0, 1) < 0.3) k.hot = 1 + static_cast<int>(random() % 6);
    return k;
}

/// A random member behind a beam stop of up to 1.6 radii. It has no neighbours: where the direct
/// beam is hidden, it cannot be told from them.
inline DiskCase wide_stop_case(unsigned seed) {
    DiskCase k = random_case(seed);
    std::mt19937 random(seed + 1000003);
    auto const even = [&](double low, double high) {
        return std::uniform_real_distribution<>(low, high)(random);
    };
    k.neighbours = 0;
    k.truth.radius =
        std::max(k.truth.radius, even(6, 0.3 * static_cast<double>(std::min(k.rows, k.cols))));
    k.stop = even(0, 1) < 0.5 ? 1 : 2;
    k.stop_width = even(0.33, 1.6);
    return k;
}

}  // namespace sluice::stem4d

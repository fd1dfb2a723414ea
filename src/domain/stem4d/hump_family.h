// Patterns without a disk, for tests: smooth humps of every shape, size and dose; and disks whose
// edges are soft or whose inside has structure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "domain/stem4d/disk_family.h"

namespace sluice::stem4d {

enum class Hump { gauss, ellipse, lorentz, power, exponential, ring, two, tilted };
inline constexpr std::array<char const*, 8> hump_names{
    "gauss", "ellipse", "lorentz", "power", "exponential", "ring", "two", "tilted"};

/// One hump; lengths in pixels, heights in parts of its top.
struct HumpCase {
    Hump kind = Hump::gauss;
    index rows = 64, cols = 64;
    Point center;
    double sigma = 10;      ///< of a Gaussian; others are about as wide
    double counts = 6;      ///< of a pixel at the top
    double background = 0;  ///< even, all over
    double more = 0;        ///< what the kind needs: elongation, exponent, distance, tilt; 0 to 1
    unsigned seed = 1;

    std::string text() const {
        return std::string(hump_names.at(static_cast<std::size_t>(kind))) + " " +
               std::to_string(rows) + "x" + std::to_string(cols) + " at " +
               std::to_string(center.row) + ", " + std::to_string(center.col) + " sigma " +
               std::to_string(sigma) + " counts " + std::to_string(counts) + " background " +
               std::to_string(background) + " more " + std::to_string(more) + " seed " +
               std::to_string(seed);
    }
};

inline double height_at(HumpCase const& k, double y, double x) {
    double const away = std::hypot(y, x) / k.sigma;
    auto const gauss = [](double d) { return std::exp(-d * d / 2); };
    switch (k.kind) {
        case Hump::ellipse:
            return gauss(std::hypot(y, x * (1 + k.more)) / k.sigma);
        case Hump::lorentz:
            return std::pow(1 + away * away / 2, -1 - k.more);
        case Hump::power:
            return std::pow(1 + away, -1 - 2 * k.more);
        case Hump::exponential:
            return std::exp(-away);
        case Hump::ring:
            return 0.8 * gauss(away) + 0.2 * gauss((away - 1.5 - k.more) / 0.4);
        case Hump::two:
            return std::max(gauss(away), 0.7 * gauss(std::hypot(y, x / k.sigma - 1 - k.more)));
        case Hump::tilted:
            return gauss(away) * std::max(0.0, 1 + 0.5 * k.more * y / k.sigma) / 2;
        case Hump::gauss:
            break;
    }
    return gauss(away);
}

inline Array<double> draw(HumpCase const& k) {
    std::mt19937 random(k.seed);
    Array<double> out = Array<double>::zeros({k.rows, k.cols});
    for (index r = 0; r < k.rows; ++r)
        for (index c = 0; c < k.cols; ++c) {
            double const v = k.background + height_at(k, static_cast<double>(r) - k.center.row,
                                                      static_cast<double>(c) - k.center.col);
            out.values[static_cast<std::size_t>(r * k.cols + c)] =
                static_cast<double>(std::poisson_distribution<std::int64_t>(v * k.counts)(random));
        }
    return out;
}

/// A random hump: no narrower than a few pixels, for a detector's blur makes a hump of a small
/// disk.
inline HumpCase random_hump(unsigned seed) {
    std::mt19937 random(seed);
    auto const even = [&](double low, double high) {
        return std::uniform_real_distribution<>(low, high)(random);
    };
    HumpCase k;
    k.seed = seed;
    k.kind = static_cast<Hump>(random() % hump_names.size());
    k.rows = std::array<index, 6>{16, 32, 64, 96, 128, 256}[random() % 6];
    k.cols = even(0, 1) < 0.3 ? k.rows * 3 / 2 : k.rows;
    auto const side = static_cast<double>(k.rows);
    k.sigma = 2.5 * std::pow(0.6 * side / 2.5, even(0, 1));
    double const off = even(0, 1) < 0.5 ? 0.02 : 0.2;
    k.center = {(side - 1) / 2 + off * side * even(-1, 1),
                (static_cast<double>(k.cols) - 1) / 2 + off * side * even(-1, 1)};
    k.counts = std::max(3e2 / (6.3 * k.sigma * k.sigma), 0.3) * std::pow(1e5, even(0, 1));
    k.background = even(0, 1) < 0.5 ? 0 : even(0, 0.5);
    k.more = even(0, 1);
    return k;
}

/// A random disk with a soft edge (1 to 30 % of its radius), in the mean of many patterns. Half of
/// them stand on diffuse scattering as high as themselves; some are behind a beam stop or partly
/// off the detector.
inline DiskCase random_soft_disk(unsigned seed) {
    std::mt19937 random(seed);
    auto const even = [&](double low, double high) {
        return std::uniform_real_distribution<>(low, high)(random);
    };
    DiskCase k;
    k.seed = seed;
    k.rows = k.cols = std::array<index, 6>{16, 32, 64, 96, 128, 256}[random() % 6];
    auto const side = static_cast<double>(k.rows);
    k.truth.radius = 3 * std::pow(0.45 * side / 3, even(0, 1));
    double const off = even(0, 1) < 0.7 ? 0.03 : 0.25;
    k.truth.center = {(side - 1) / 2 + off * side * even(-1, 1),
                      (side - 1) / 2 + off * side * even(-1, 1)};
    k.edge = k.truth.radius * even(0.01, 0.3);
    k.counts = std::max(
        1e3 * std::pow(1e4, even(0, 1)) / (3.14159 * k.truth.radius * k.truth.radius), 0.3);
    k.background = even(0, 0.1);
    k.halo = even(0, 1) < 0.5 ? even(0, 1) : 0;
    k.structure = even(0, 1) < 0.5 ? even(0, 0.6) : 0;
    if (k.truth.radius > 6 && even(0, 1) < 0.2) k.stop = 1, k.stop_width = even(0.1, 0.33);
    return k;
}

}  // namespace sluice::stem4d

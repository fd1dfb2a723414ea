// Where fast protons of a reaction leave its energy.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/fast_protons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::proton::marching {
namespace {

constexpr double range = 100, length = 0.397;  // mm; of the range
constexpr index middle = 400;                  // column

// Of one reaction in the middle of the first plane, [plane][column].
std::vector<std::vector<double>> of_a_reaction(double angle) {
    Phantom p;
    p.planes = 80;
    p.columns = 2 * middle + 1;
    p.dz = 1;
    p.dx = 0.5;
    FastProtons protons(p, angle, length);
    std::vector<double> energy(static_cast<std::size_t>(p.columns)), path(energy.size());
    std::vector<std::vector<double>> out;
    Ledger ledger;
    for (index plane = 0; plane < p.planes; ++plane) {
        energy[middle] = plane == 0 ? 1 : 0;
        std::ranges::fill(path, p.dz / (range - static_cast<double>(plane) - 0.5));
        protons.drift(plane, ledger);
        protons.leave(energy, path);
        out.push_back(protons.left());
    }
    double sum = protons.waiting() + ledger.left.energy + ledger.right.energy;
    for (auto const& line : out) sum = std::accumulate(line.begin(), line.end(), sum);
    EXPECT_NEAR(sum, 1, 1e-12);
    return out;
}

// Root of the mean square of angles that what lies at a depth comes from.
double spread(std::vector<double> const& line, index plane) {
    double sum = 0, squares = 0;
    for (std::size_t x = 0; x < line.size(); ++x) {
        double const aside = 0.5 * (static_cast<double>(x) - middle);
        double const angle = std::atan2(aside, static_cast<double>(plane));
        sum += line[x];
        squares += line[x] * angle * angle;
    }
    return std::sqrt(squares / sum);
}

// ICRU 63's, by bench/proton/icru63.py: what depths as parts of the range are reached from.
TEST(FastProtons, FarBehindReactionsComeFromStraightAhead) {
    auto const left = of_a_reaction(0);
    for (auto const& [depth, icru63] : {std::pair(0.07, 0.54),
                                        {0.15, 0.458},
                                        {0.25, 0.399},
                                        {0.35, 0.351},
                                        {0.45, 0.322},
                                        {0.55, 0.310},
                                        {0.65, 0.278}}) {
        auto const plane = static_cast<index>(std::lround(depth * range));
        double const wanted = 0.88 * icru63;
        EXPECT_NEAR(spread(left[static_cast<std::size_t>(plane)], plane), wanted, 0.06 * wanted)
            << depth;
    }
}

// Three exponentials for each direction, one for all of them together.
TEST(FastProtons, LeaveOneExponentialInAll) {
    auto const left = of_a_reaction(0);
    double before = 1, way = 0;
    for (std::size_t plane = 0; plane < 40; ++plane) {
        double const path = 1 / (range - static_cast<double>(plane) - 0.5);
        way += plane == 0 ? path / 2 : path;
        double const after = std::exp(-way / length);
        double const all = std::accumulate(left[plane].begin(), left[plane].end(), 0.0);
        EXPECT_NEAR(all, before - after, 1e-12) << plane;
        before = after;
    }
}

TEST(FastProtons, LeaveNothingBelowZero) {
    for (double const angle : {0.0, 0.7})
        for (auto const& line : of_a_reaction(angle))
            EXPECT_GE(*std::ranges::min_element(line), 0) << angle;
}

}  // namespace
}  // namespace sluice::proton::marching

// Tests of grains: lattices that are turned, strain of each, and patterns that must not be fitted.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/grains.h"

#include <gtest/gtest.h>

#include <numbers>

#include "domain/crystal/lattice/believe.h"
#include "domain/crystal/lattice/test_scans.h"

namespace sluice::crystal::test {
namespace {

using stem4d::LatticeBasis;
using stem4d::LatticeReason;

Square turned_grain(double degrees, double xx = 0) {
    double const c = std::cos(degrees * std::numbers::pi / 180),
                 s = std::sin(degrees * std::numbers::pi / 180);
    return {{{c * (1 + xx), -s}, {s * (1 + xx), c}}};
}

LatticeBasis basis_of_grains() {
    auto const w = waves_of({}, {{{1, 0}, {0, 1}}});
    return {{128, 128}, {w[0], w[1]}, {w[2], w[3]}};
}

TEST(Grains, OfAllTurnsAreNoStrain) {
    for (int degrees = 22; degrees <= 90; degrees += 2) {
        Simulator simulate(static_cast<std::uint64_t>(degrees));
        auto const s = simulate({2, 10}, [&](index p) {
            return Plan{.f = turned_grain(p < 10 ? 0 : degrees), .outliers = 1};
        });
        auto const fit = stem4d::fit_lattice(s.vectors, basis_of_grains()).value();
        for (std::size_t p = 0; p < 20; ++p)
            EXPECT_EQ(fit.reason[p] == LatticeReason::fitted, p < 10) << degrees << " " << p;
    }
}

TEST(Grains, AreFoundWithTheirTurnsAndStrain) {
    Simulator simulate(5);
    auto const s = simulate({6, 20}, [&](index p) {
        index const row = p / 20;
        return Plan{.f = turned_grain(row < 3   ? 0
                                      : row < 5 ? 35
                                                : -25,
                                      p % 20 < 10 ? 0 : 0.01),
                    .outliers = 1,
                    .missing = 0.1};
    });
    auto const fit = stem4d::fit_grains(s.vectors).value();
    ASSERT_EQ(fit.grains.size(), 3U);
    EXPECT_EQ(fit.grains[0].patterns, 60);
    EXPECT_NEAR(fit.grains[1].disorientation, 35, 0.3);
    EXPECT_NEAR(fit.grains[2].disorientation, -25, 0.3);
    auto const maps = stem4d::grain_strain(fit).value();
    for (std::size_t p = 0; p < 120; ++p) {
        std::size_t const row = p / 20;
        EXPECT_EQ(maps.grain.values[p], row < 3 ? 1 : row < 5 ? 2 : 3);
        EXPECT_LT(std::abs(maps.strain.omega.values[p]), 0.5);
        // The sum of both strains is that of the steps, however the axes are turned.
        double const sum = maps.strain.e_xx.values[p] + maps.strain.e_yy.values[p];
        EXPECT_LT(std::abs(sum), 0.02);
    }
    EXPECT_FALSE(stem4d::grain_strain(fit, {.reference = basis_of_grains()}));
}

TEST(Grains, TwoLatticesInAPatternAreToldApart) {
    Simulator simulate(6);
    auto both = simulate({1, 1}, [&](index) { return Plan{}; });
    auto const other = simulate({1, 1}, [&](index) { return Plan{.f = turned_grain(4)}; });
    auto& v = both.vectors;
    for (auto const column :
         {&stem4d::BraggVectors::row, &stem4d::BraggVectors::col, &stem4d::BraggVectors::intensity,
          &stem4d::BraggVectors::background, &stem4d::BraggVectors::var_row,
          &stem4d::BraggVectors::var_col, &stem4d::BraggVectors::cov_row_col,
          &stem4d::BraggVectors::intensity_error, &stem4d::BraggVectors::score})
        (v.*column).insert((v.*column).end(), (other.vectors.*column).begin(),
                           (other.vectors.*column).end());
    v.first = {0, v.size()};
    auto const fit = stem4d::fit_lattice(v, basis_of_grains()).value();
    EXPECT_NE(fit.reason[0], LatticeReason::fitted);
}

TEST(Grains, NameVectorsByTheLeastStretch) {
    LatticeBasis const l{{}, {18, 1}, {-2, 36}};
    Matrix2 const turn = turn_by(0.2);
    LatticeBasis other{{}, turn * l.a, turn * l.b};
    other.b = {other.b.row + other.a.row, other.b.col + other.a.col};
    Named const named = nearest_vectors(l, other);
    EXPECT_LT(named.change.stretch, 1e-9);
    EXPECT_NEAR(named.change.angle, 0.2, 1e-9);
    std::vector<std::array<int, 2>> points;
    for (int h = -3; h <= 3; ++h)
        for (int k = -3; k <= 3; ++k)
            if ((h + k) % 2 == 0) points.push_back({h, k});
    EXPECT_TRUE(on_a_part(points));
    for (int h = -3; h <= 3; ++h) points.push_back({h, h + 1});
    EXPECT_FALSE(on_a_part(points));
}

}  // namespace
}  // namespace sluice::crystal::test

// Metrics beside closed forms (acceptance test P of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/proton/spline.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

DoseMap map_of(index rows, index columns, double dz, double dx, auto const& dose) {
    DoseMap m{rows, columns, dz, dx, 0, 0, {}};
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < columns; ++c)
            m.values.push_back(dose(static_cast<double>(r) * dz, static_cast<double>(c) * dx));
    return m;
}

TEST(Gamma, OfAFlatDoseIsTheDifference) {
    auto const flat = [](double value) {
        return map_of(12, 9, 1, 1.5, [=](double, double) { return value; });
    };
    for (double const s : {0.97, 0.99, 1.0, 1.013, 1.03}) {
        auto const g = gamma_index(flat(2), flat(2 * s), {.dose = 0.02, .distance = 3}).value();
        for (double const v : g.gamma) EXPECT_NEAR(v, std::abs(s - 1) / 0.02, 1e-12) << s;
        EXPECT_EQ(g.points, 12 * 9);
        EXPECT_EQ(g.passed, std::abs(s - 1) <= 0.02 ? 1 : 0);
    }
}

TEST(Gamma, OfAShiftedGradientIsTheDistanceToALine) {
    // Slope a a mm along z, shifted by d mm; unit dose u and distance h: the line's slope is
    // a h / u, and it lies a d / u below.
    double const a = 0.03, d = 0.7, top = 0.03 * 99 + 1;
    for (double const h : {1.0, 2.0, 3.0})
        for (index const columns : {index{1}, index{21}}) {
            auto const dose = [&](double shift) {
                return map_of(100, columns, 1, 1,
                              [=](double z, double) { return 1 + a * (z + shift); });
            };
            GammaOptions o{.dose = 0.02, .distance = h};
            auto const g = gamma_index(dose(0), dose(d), o).value();
            double const u = 0.02 * top, expected = a * d / u / std::hypot(1.0, a * h / u);
            for (index r = 10; r < 90; ++r)
                EXPECT_NEAR(g.gamma[static_cast<std::size_t>(r * columns + columns / 2)], expected,
                            1e-9)
                    << h << " " << columns;
        }
}

TEST(Gamma, OfASlopeAcrossTriangles) {
    // A plane that slopes along both; triangles are exact whatever the grids.
    double const a = 0.02, b = -0.013, c = 0.05;
    auto const plane = [&](double add) {
        return [=](double z, double x) { return 5 + a * z + b * x + add; };
    };
    DoseMap const reference = map_of(30, 30, 1, 1, plane(0));
    DoseMap evaluated = map_of(61, 23, 0.5, 1.4, plane(c));
    GammaOptions o{.dose = 0.03, .distance = 2};
    auto const g = gamma_index(reference, evaluated, o).value();
    double const u = 0.03 * (5 + a * 29);
    double const expected = c / u / std::sqrt(1 + std::pow(2 / u, 2) * (a * a + b * b));
    for (index r = 8; r < 22; ++r)
        for (index k = 8; k < 22; ++k)
            EXPECT_NEAR(g.gamma[static_cast<std::size_t>(r * 30 + k)], expected, 1e-9);
}

TEST(Gamma, ShiftedGaussiansPassWithinTheDistance) {
    auto const bell = [](double shift) {
        return map_of(81, 81, 0.5, 0.5, [=](double z, double x) {
            return std::exp(-((z - 20 - shift) * (z - 20 - shift) + (x - 20) * (x - 20)) / 50);
        });
    };
    EXPECT_EQ(gamma_index(bell(0), bell(0.9), {.dose = 0.02, .distance = 1})->passed, 1);
    EXPECT_LT(gamma_index(bell(0), bell(2.5), {.dose = 0.02, .distance = 1})->passed, 0.9);
    // Local differences are stricter.
    GammaOptions local{.dose = 0.02, .distance = 1, .local = true};
    EXPECT_GE(gamma_index(bell(0), bell(0.9), local)->mean,
              gamma_index(bell(0), bell(0.9), {.dose = 0.02, .distance = 1})->mean);
}

TEST(Gamma, BadInput) {
    DoseMap const good = map_of(5, 5, 1, 1, [](double, double) { return 1.0; });
    DoseMap bad = good;
    bad.values[3] = std::nan("");
    EXPECT_FALSE(gamma_index(bad, good));
    EXPECT_FALSE(gamma_index(good, bad));
    bad = good;
    bad.values.pop_back();
    EXPECT_FALSE(gamma_index(bad, good));
    bad = good;
    bad.values.assign(25, 0);
    EXPECT_FALSE(gamma_index(bad, good));
    EXPECT_FALSE(gamma_index(good, good, {.dose = 0}));
}

// A plateau with a dip behind a denser slab: the edge is the last one.
TEST(Metrics, EdgesAreThoseOfTheFarSide) {
    DepthCurve c;
    for (int i = 0; i <= 400; ++i) {
        double const z = 0.4 * i;
        double const plateau = 1 / (1 + std::exp((z - 130) / 0.8));
        double const slab = z > 30 && z < 50 ? 1.4 : z > 60 && z < 70 ? 0.7 : 1;
        c.depth.push_back(z);
        c.dose.push_back(plateau * slab);
    }
    auto const m = bragg_metrics(c).value();
    // 80 % of 1.4 is not reached behind the slab, and half of it is.
    EXPECT_NEAR(m.r80, 50, 0.5);
    EXPECT_NEAR(m.r50, 130 + 0.8 * std::log(0.3 / 0.7), 0.3);
}

// The dose of a plane, not its energy: bone takes more of it, and has more mass.
TEST(Metrics, DepthDoseIsDoseToTheMedium) {
    MarchResult r;
    r.planes = 2, r.columns = 2, r.dz = 0.5, r.dx = 1;
    r.deposit = {1, 1, 1.7, 0};
    EXPECT_EQ(depth_dose(r).dose, (std::vector<double>{4, 3.4}));
    r.density = {1, 2, 1.85F, 0};
    auto const dose = depth_dose(r).dose;
    EXPECT_DOUBLE_EQ(dose[0], 3);
    EXPECT_NEAR(dose[1], 2 * 1.7 / 1.85, 1e-6);
    Phantom p{.materials = {material("water").value(), material("air").value()},
              .planes = 1,
              .columns = 2,
              .map = {1, 0}};
    EXPECT_EQ(density_map(p).at(1), 1);
    EXPECT_NEAR(density_map(p).at(0), 0.0012, 1e-4);
    p.map.clear();
    EXPECT_TRUE(density_map(p).empty());
}

TEST(Metrics, OfACurveThatIsKnown) {
    // A Gaussian: the distances from its middle are known.
    DepthCurve c;
    for (int i = 0; i <= 200; ++i) {
        c.depth.push_back(0.5 * i);
        c.dose.push_back(3 * std::exp(-std::pow((0.5 * i - 60) / 8, 2) / 2));
    }
    auto const m = bragg_metrics(c).value();
    auto const at = [](double part) { return 60 + 8 * std::sqrt(-2 * std::log(part)); };
    EXPECT_NEAR(m.peak, 3, 1e-6);
    EXPECT_NEAR(m.peak_depth, 60, 1e-6);
    EXPECT_NEAR(m.r90, at(0.9), 1e-4);
    EXPECT_NEAR(m.r80, at(0.8), 1e-4);
    EXPECT_NEAR(m.r50, at(0.5), 1e-4);
    EXPECT_NEAR(m.fall_off, at(0.2) - at(0.8), 1e-4);
    EXPECT_NEAR(m.width, 2 * (at(0.5) - 60), 2e-4);
    EXPECT_NEAR(m.proximal_80, 120 - at(0.8), 1e-4);
    EXPECT_NEAR(m.integral, 3 * 8 * std::sqrt(2 * std::acos(-1.0)), 1e-4);
    c.dose.back() = std::nan("");
    EXPECT_FALSE(bragg_metrics(c));
    EXPECT_FALSE(bragg_metrics({}));
    c.dose.pop_back();
    auto const uneven = bragg_metrics(c);
    ASSERT_FALSE(uneven);
    EXPECT_NE(uneven.error().message.find("201 depths and 200 doses"), std::string::npos);
}

TEST(Metrics, SplinesGoThroughTheirPoints) {
    std::vector<double> const x{0, 1, 2.5, 4, 4.5}, y{1, 3, 2, 2, -1};
    Spline const s(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(s(x[i]), y[i], 1e-12);
    EXPECT_NEAR(s(s.solve(2.5, 0, 1)), 2.5, 1e-9);
    for (double const at : {0.5, 2.0, 4.2})
        EXPECT_NEAR(s.slope(at), (s(at + 1e-6) - s(at - 1e-6)) / 2e-6, 1e-5);
}

}  // namespace
}  // namespace sluice::proton

// Spread-out peaks: flat, and as deep as asked.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "device/queue.h"
#include "domain/proton/sobp/least_squares.h"
#include "sluice/proton_sobp.h"

namespace sluice::proton {
namespace {

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

Sobp planned(SobpPlan const& plan, double dz) {
    auto s = spread_out(physics(), plan, dz);
    EXPECT_TRUE(s) << s.error().message;
    return s ? *s : Sobp{};
}

// By marches of its own, across real columns.
DepthCurve marched(Sobp const& s, double dz) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = 2;
    p.columns = 48;
    p.x0 = -48;
    p.planes = static_cast<index>((s.plan.range + 15) / dz);
    DepthCurve sum;
    for (Beam const& b : s.beams) {
        MarchOptions o;
        o.angle_step = std::numbers::pi / 180;
        DepthCurve const c = depth_dose(march(physics(), p, b, o).value());
        if (sum.depth.empty()) sum = {c.depth, std::vector<double>(c.dose.size())};
        for (std::size_t k = 0; k < c.dose.size(); ++k) sum.dose[k] += c.dose[k];
    }
    return sum;
}

TEST(Sobp, IsFlatAndAsDeepAsAsked) {
    for (SobpPlan const& plan : {
             SobpPlan{.range = 150, .modulation = 50, .beam = {.sigma_x = 4}},
             SobpPlan{.range = 60, .modulation = 30, .beam = {.energy_spread = 0.7, .sigma_x = 4}},
             SobpPlan{.range = 160, .modulation = 20, .layers = 9, .beam = {.sigma_x = 4}},
             SobpPlan{.range = 100,
             .modulation = 40,
             .spacing = 2,
             .beam = {.energy_spread = 0.8, .sigma_x = 4}},
         }) {
        double const dz = plan.range > 100 ? 1 : 0.5;
        Sobp const s = planned(plan, dz);
        ASSERT_GT(s.beams.size(), 3u);
        DepthCurve const c = marched(s, dz);
        double least = 1e300, most = 0, sum = 0;
        int n = 0;
        for (std::size_t k = 0; k < c.depth.size(); ++k) {
            if (c.depth[k] < plan.range - plan.modulation || c.depth[k] > s.end) continue;
            least = std::min(least, c.dose[k]);
            most = std::max(most, c.dose[k]);
            sum += c.dose[k];
            ++n;
        }
        EXPECT_LE((most - least) / (most + least), 0.02) << plan.range;
        // It is told of points between the planes as well.
        EXPECT_LE((most - least) / (most + least), s.flatness + 0.002) << plan.range;
        EXPECT_LE(s.flatness, 0.02) << plan.range;
        EXPECT_NEAR(s.plateau, sum / n, 0.002 * s.plateau) << plan.range;
        auto k = c.dose.size() - 1;
        while (c.dose[k] < 0.8 * sum / n) --k;
        double const t = (c.dose[k] - 0.8 * sum / n) / (c.dose[k] - c.dose[k + 1]);
        EXPECT_NEAR(c.depth[k] + dz * t, plan.range, 0.2);
        EXPECT_GT(s.end, plan.range - 0.05 * plan.range);
    }
}

TEST(Sobp, WeightsAreThoseOfTheBeam) {
    Sobp const s =
        planned({.range = 50, .modulation = 20, .beam = {.x = 3, .sigma_x = 4, .weight = 7}}, 1);
    double all = 0;
    for (std::size_t i = 0; i < s.beams.size(); ++i) {
        EXPECT_GT(s.beams[i].weight, 0);
        EXPECT_EQ(s.beams[i].x, 3);
        EXPECT_EQ(s.beams[i].sigma_x, 4);
        if (i > 0) {
            EXPECT_LT(s.beams[i].energy, s.beams[i - 1].energy);
        }
        all += s.beams[i].weight;
    }
    EXPECT_NEAR(all, 7, 1e-9);
    // The deepest one has the most by far.
    EXPECT_GT(s.beams[0].weight, 0.15 * all);
    EXPECT_LE(planned({.range = 50, .modulation = 20, .layers = 9}, 1).beams.size(), 9u);
}

TEST(Sobp, IsMarchedOnTheDeviceThatWasAskedFor) {
    SobpPlan const plan{.range = 30, .modulation = 12, .layers = 4, .beam = {.sigma_x = 4}};
    MarchOptions o{.precision = Precision::f64};
    Sobp const here = spread_out(physics(), plan, 1, o).value();
    o.device = Device::fake();
    Traffic const before = traffic_of(o.device).value();
    Sobp const there = spread_out(physics(), plan, 1, o).value();
    EXPECT_GT((traffic_of(o.device).value() - before).launches, 100u);
    ASSERT_EQ(there.beams.size(), here.beams.size());
    for (std::size_t i = 0; i < here.beams.size(); ++i) {
        EXPECT_NEAR(there.beams[i].energy, here.beams[i].energy, 1e-9);
        EXPECT_NEAR(there.beams[i].weight, here.beams[i].weight, 1e-9);
    }
}

TEST(Sobp, BadPlans) {
    double const nan = std::nan("");
    auto const message = [](SobpPlan const& p, double dz = 0.5) {
        auto const s = spread_out(physics(), p, dz);
        return s ? std::string() : s.error().message;
    };
    for (double const bad : {nan, -1.0, 0.0, HUGE_VAL}) {
        EXPECT_NE(message({.range = bad, .modulation = 20}), "") << bad;
        EXPECT_NE(message({.range = 50, .modulation = bad}), "") << bad;
        EXPECT_NE(message({.range = 50, .modulation = 20}, bad), "") << bad;
    }
    EXPECT_NE(message({.range = 50, .modulation = 49}).find("less than 46 mm"), std::string::npos);
    EXPECT_NE(message({.range = 50, .modulation = 20, .layers = 1}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .layers = 501}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .spacing = -1}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .spacing = nan}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .spacing = 30}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .spacing = 0.01}).find("more than 500"),
              std::string::npos);
    EXPECT_NE(message({.range = 50, .modulation = 20, .layers = 5, .spacing = 4}).find("one of"),
              std::string::npos);
    EXPECT_NE(message({.range = 800, .modulation = 20}), "");
    EXPECT_NE(message({.range = 50, .modulation = 20, .beam = {.energy_spread = -1}}), "");
}

TEST(LeastSquares, FindsWhatIsThere) {
    // Two bumps make the target, the third only disturbs it.
    std::vector<std::vector<double>> const parts = {{2, 2, 0, 0}, {0, 0, 4, 4}, {1, 0, 1, 0}};
    std::vector<double> w = {1, 1, 1};
    least_squares(parts, 1, w);
    EXPECT_NEAR(w[0], 0.5, 1e-5);
    EXPECT_NEAR(w[1], 0.25, 1e-5);
    EXPECT_NEAR(w[2], 0, 1e-5);
    // Unbounded, the best would be below 0.
    w = {1, 1};
    least_squares({{1, 1}, {0, 1}}, -1, w);
    EXPECT_EQ(w, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace sluice::proton

// Depth doses in water beside Monte Carlo (acceptance tests F, G and H of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/test_deep.h"
#include "domain/proton/marching/reference_data_test.h"
#include "domain/proton/marching/wide_field_test.h"
#include "domain/proton/spline.h"

namespace sluice::proton {
namespace {

DepthCurve ours(TopasBeam const& b) {
    double const dz = b.energy < 70 ? 0.125 : b.energy < 100 ? 0.25 : 0.5;
    DepthCurve c = depth_dose(marched(wide(b.curve.depth.back() + dz, dz), b.energy, b.spread));
    for (double& d : c.dose) d *= 10;  // MeV/mm to MeV cm2/g
    return c;
}

double integral_to(DepthCurve const& c, double depth) {
    DepthCurve part;
    for (std::size_t i = 0; i < c.depth.size(); ++i) {
        if (c.depth[i] > depth) break;
        part.depth.push_back(c.depth[i]);
        part.dose.push_back(c.dose[i]);
    }
    return bragg_metrics(part)->integral;
}

TEST(Topas, DepthDosesOfAllEnergies) {
    auto const all = topas_beams();
    ASSERT_EQ(all.size(), 96u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!deep_tests() && i % 4 != 0 && i + 1 != all.size()) continue;
        TopasBeam const& r = all[i];
        DepthCurve const c = ours(r);
        auto const a = bragg_metrics(c).value(), b = bragg_metrics(r.curve).value();
        EXPECT_NEAR(a.r80, b.r80, std::max(0.15, 0.0015 * b.r80)) << r.energy;
        EXPECT_NEAR(a.fall_off, b.fall_off, 0.07 * b.fall_off) << r.energy;
        EXPECT_NEAR(a.peak_to_entrance, b.peak_to_entrance, 0.05 * b.peak_to_entrance) << r.energy;
        Spline const at(c.depth, c.dose);
        for (std::size_t k = 0; k < r.curve.depth.size(); ++k) {
            double const depth = r.curve.depth[k];
            if (depth < c.depth.front() || depth > 0.9 * b.peak_depth) continue;
            double const dose = at(depth), theirs = r.curve.dose[k];
            EXPECT_NEAR(dose, theirs, 0.012 * theirs) << r.energy << " at " << depth;
        }
        double const end = std::min(c.depth.back(), r.curve.depth.back());
        double const theirs = integral_to(r.curve, end);
        EXPECT_NEAR(integral_to(c, end), theirs, 0.01 * theirs) << r.energy;
    }
}

}  // namespace
}  // namespace sluice::proton

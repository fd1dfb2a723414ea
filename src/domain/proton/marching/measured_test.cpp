// Depth doses beside a measurement and two Monte Carlo programs (acceptance tests J and K of
// docs/design/006). SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "domain/proton/spline.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

// Columns so wide that nothing leaves: on the axis of a wide field it is the same.
Phantom wide(double depth, double dz) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = 400;
    p.columns = 3;
    p.x0 = -600;
    p.planes = static_cast<index>(std::ceil(depth / dz));
    return p;
}

MarchResult marched(Phantom const& p, double energy, double spread) {
    MarchOptions o;
    o.angle_step = 1.5 * std::numbers::pi / 180;
    Beam const b{.energy = energy, .energy_spread = spread, .sigma_x = 5};
    return march(physics(), p, b, o).value();
}

// INFN-LNS CATANA, 62 MeV, ionisation chamber in water (the curve is in Geant4's example
// hadrontherapy; only these numbers of it are known here). Fitted: the spread of energy by the
// fall-off, the water before the phantom by R80, and the scale by the peak.
TEST(Measured, Catana62MeV) {
    constexpr double peak = 30.23, r80 = 30.66, fall_off = 0.54, peak_dose = 5.187;
    double low = 0.05, high = 0.6;
    BraggMetrics m;
    DepthCurve c;
    for (int k = 0; k < 10; ++k) {
        double const spread = (low + high) / 2;
        c = depth_dose(marched(wide(36, 0.1), 62, spread));
        m = bragg_metrics(c).value();
        (m.fall_off < fall_off ? low : high) = spread;
    }
    double const before = m.r80 - r80, scale = peak_dose / m.peak;
    RecordProperty("energy_spread_MeV", std::to_string(low));
    RecordProperty("water_before_mm", std::to_string(before));
    EXPECT_NEAR(m.fall_off, fall_off, 0.005);
    EXPECT_NEAR(low, 0.14, 0.02);
    EXPECT_GE(before, 2.1);
    EXPECT_LE(before, 2.3);
    EXPECT_NEAR(m.peak_depth - before, peak, 0.1);
    // The chamber had 1.19 there: 5 % of the peak more, of what the beam line scatters. TOPAS has
    // 0.923 for a beam of this range without one (0.178 of the peak).
    Spline const dose(c.depth, c.dose);
    EXPECT_NEAR(scale * dose(2.83 + before), 0.923, 0.01 * peak_dose);
}

struct Plan02 {
    std::vector<double> z, mcnp, fluka;  // mm
};

Plan02 plan02() {
    Plan02 p;
    std::ifstream file(SLUICE_TEST_DATA "/proton/dcpt_plan02.txt");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("#")) continue;
        std::istringstream words(line);
        double z = 0, mcnp = 0, fluka = 0;
        words >> z >> mcnp >> fluka;
        p.z.push_back(10 * z);
        p.mcnp.push_back(mcnp);
        p.fluka.push_back(fluka);
    }
    return p;
}

// 5 mm of PMMA before 20 cm of solid water; z is 0 at 22.5 mm.
TEST(Measured, DcptPlan02) {
    Plan02 const theirs = plan02();
    ASSERT_EQ(theirs.z.size(), 205u);
    Phantom p = wide(205, 0.5);
    p.materials = {material("solid_water", 1.032).value(), material("pmma").value()};
    p.map.assign(static_cast<std::size_t>(p.planes * p.columns), 0);
    std::fill_n(p.map.begin(), 10 * p.columns, std::uint16_t(1));
    DepthCurve c = depth_dose(marched(p, 160.36, 0.72));
    for (double& z : c.depth) z -= 22.5;
    auto const m = bragg_metrics(c).value();
    auto const mcnp = bragg_metrics({theirs.z, theirs.mcnp}).value();
    auto const fluka = bragg_metrics({theirs.z, theirs.fluka}).value();
    // Five programs are between these.
    EXPECT_GE(m.r80, 149.4);
    EXPECT_LE(m.r80, 151.4);
    EXPECT_GE(m.fall_off, 0.95 * 3.15);
    EXPECT_LE(m.fall_off, 1.05 * 3.24);
    EXPECT_NEAR(m.r80, (mcnp.r80 + fluka.r80) / 2, 0.2);
    EXPECT_NEAR(m.peak_depth, (mcnp.peak_depth + fluka.peak_depth) / 2, 0.3);
}

}  // namespace
}  // namespace sluice::proton

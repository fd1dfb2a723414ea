// Depth doses in water beside Monte Carlo (acceptance tests F, G and H of docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "sluice/proton.h"

namespace sluice::proton {
namespace {

struct Reference {
    double energy = 0, spread = 0;
    DepthCurve curve;
};

std::vector<Reference> references() {
    std::vector<Reference> out;
    std::ifstream file(SLUICE_TEST_DATA "/proton/topas_depth_dose.txt");
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        if (line.starts_with("#")) continue;
        if (line.starts_with("beam")) {
            std::string beam;
            Reference& r = out.emplace_back();
            words >> beam >> r.energy >> r.spread;
            continue;
        }
        double depth = 0, dose = 0;
        words >> depth >> dose;
        out.back().curve.depth.push_back(depth);
        out.back().curve.dose.push_back(dose);
    }
    return out;
}

// Columns so wide that nothing leaves: a depth dose does not ask where across.
DepthCurve ours(Physics const& physics, Reference const& r) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = r.energy < 70 ? 0.125 : r.energy < 100 ? 0.25 : 0.5;
    p.dx = 400;
    p.columns = 3;
    p.x0 = -600;
    p.planes = static_cast<index>(std::ceil(r.curve.depth.back() / p.dz)) + 1;
    Beam beam;
    beam.energy = r.energy;
    beam.energy_spread = r.spread;
    beam.sigma_x = 5;
    MarchOptions o;
    o.angle_step = 1.5 * std::numbers::pi / 180;
    DepthCurve c = depth_dose(march(physics, p, beam, o).value());
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
    Physics const physics(WaterTable::icru90);
    auto const all = references();
    ASSERT_EQ(all.size(), 96u);
    for (Reference const& r : all) {
        DepthCurve const c = ours(physics, r);
        auto const a = bragg_metrics(c).value(), b = bragg_metrics(r.curve).value();
        EXPECT_NEAR(a.r80, b.r80, std::max(0.15, 0.0015 * b.r80)) << r.energy;
        EXPECT_NEAR(a.fall_off, b.fall_off, 0.07 * b.fall_off) << r.energy;
        EXPECT_NEAR(a.peak_to_entrance, b.peak_to_entrance, 0.05 * b.peak_to_entrance) << r.energy;
        double const end = std::min(c.depth.back(), r.curve.depth.back());
        double const theirs = integral_to(r.curve, end);
        EXPECT_NEAR(integral_to(c, end), theirs, 0.01 * theirs) << r.energy;
    }
}

}  // namespace
}  // namespace sluice::proton

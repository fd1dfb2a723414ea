// Energies between those of a machine's table.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/machine/kernel.h"
#include "sluice/proton.h"
#include "sluice/proton_machine.h"

namespace sluice::proton {
namespace {

Machine two_energies() {
    Machine m{.name = "m", .source = {2000, 2000}};
    m.energies.push_back({.nominal = 100,
                          .mean = 101,
                          .spread = 1,
                          .protons_per_mu = 1e8,
                          .spots = {{1, {4, 5}, {0.003, 0.002}, {0.012, -0.01}}}});
    m.energies.push_back({.nominal = 110,
                          .mean = 111,
                          .spread = 2,
                          .protons_per_mu = 2e8,
                          .spots = {{0.8, {3, 3}, {0.001, 0.001}, {0, 0}},
                                    {0.2, {9, 9}, {0.005, 0.005}, {0.01, 0.01}}}});
    return m;
}

TEST(MachineSetting, EnergiesOfTheTableAreTheirOwn) {
    Machine const m = two_energies();
    for (double const nominal : {100.0, 100.00001, 99.95}) {
        MachineSetting const s = setting_of(m, nominal).value();
        EXPECT_FALSE(s.interpolated) << nominal;
        EXPECT_EQ(s.energy.nominal, 100);
        EXPECT_EQ(s.energy.spots, m.energies[0].spots);
    }
    EXPECT_EQ(setting_of(m, 110.1).value().energy.nominal, 110);
    for (double const nominal : {99.8, 110.2, 0.0, -1.0, static_cast<double>(NAN)}) {
        auto const s = setting_of(m, nominal);
        ASSERT_FALSE(s) << nominal;
        EXPECT_NE(s.error().message.find("energies from 100 to 110 MeV"), std::string::npos);
    }
    EXPECT_FALSE(setting_of(Machine(), 100));
}

TEST(MachineSetting, MomentsGoLinearly) {
    MachineSetting const s = setting_of(two_energies(), 102.5).value();
    EXPECT_TRUE(s.interpolated);
    EXPECT_EQ(s.energy.nominal, 102.5);
    EXPECT_DOUBLE_EQ(s.energy.mean, 103.5);
    EXPECT_DOUBLE_EQ(s.energy.spread, 1.25);
    EXPECT_DOUBLE_EQ(s.energy.protons_per_mu, 1.25e8);
    ASSERT_EQ(s.energy.spots.size(), 2u);
    SpotGaussian const &a = s.energy.spots[0], &b = s.energy.spots[1];
    EXPECT_DOUBLE_EQ(a.weight, 0.95);
    EXPECT_DOUBLE_EQ(b.weight, 0.05);
    EXPECT_DOUBLE_EQ(a.sigma[0], std::sqrt(0.75 * 16 + 0.25 * 9));
    EXPECT_DOUBLE_EQ(a.divergence[0], std::sqrt(0.75 * 9e-6 + 0.25 * 1e-6));
    EXPECT_DOUBLE_EQ(a.covariance[0], 0.75 * 0.012);
    // The second one has nothing to go to.
    EXPECT_DOUBLE_EQ(b.sigma[0], 9);
    Machine untold = two_energies();
    untold.energies[1].protons_per_mu = 0;
    EXPECT_EQ(setting_of(untold, 105).value().energy.protons_per_mu, 0);
}

TEST(MachineSetting, DriftedMomentsAreThoseOfTheDriftedBeam) {
    // Between energies and along the way in either order.
    auto const drifted = [](SpotGaussian const& g, double z) {
        return g.sigma[0] * g.sigma[0] + 2 * g.covariance[0] * z +
               g.divergence[0] * g.divergence[0] * z * z;
    };
    Machine const m = two_energies();
    SpotGaussian const g = setting_of(m, 104).value().energy.spots[0];
    double const z = 430;
    double const ends =
        0.6 * drifted(m.energies[0].spots[0], z) + 0.4 * drifted(m.energies[1].spots[0], z);
    EXPECT_NEAR(drifted(g, z), ends, 1e-12 * ends);
    EXPECT_LE(std::abs(g.covariance[0]), g.sigma[0] * g.divergence[0]);
}

TEST(MachineSetting, AKernelBetweenTwoIsNearTheMarchedOne) {
    Physics const physics(WaterTable::icru90);
    BaseDataOptions const options{.step = 0.5};
    Machine m{.name = "m", .source = {2000, 2000}};
    for (double const e : {100.0, 104.0}) {
        MachineEnergy one{.nominal = e, .mean = e, .spots = {{1, {4, 4}, {0, 0}, {0, 0}}}};
        one.kernel = base_energy(physics, e, options).value();
        m.energies.push_back(std::move(one));
    }
    BaseEnergy const marched = base_energy(physics, 102, options).value();
    BaseEnergy const k = setting_of(m, 102).value().energy.kernel;
    EXPECT_EQ(k.energy, 102);
    EXPECT_NEAR(k.range, marched.range, 0.05);
    EXPECT_NEAR(range_of(k).value(), marched.range, 0.05);
    EXPECT_NEAR(k.peak, marched.peak, 0.1);
    ASSERT_EQ(k.let.size(), k.depth.size());
    auto const at = [](BaseEnergy const& b, std::vector<double> const& v, double depth) {
        auto const i =
            static_cast<std::size_t>(std::ranges::lower_bound(b.depth, depth) - b.depth.begin());
        double const part = (depth - b.depth[i - 1]) / (b.depth[i] - b.depth[i - 1]);
        return v[i - 1] + part * (v[i] - v[i - 1]);
    };
    double const peak = *std::ranges::max_element(marched.dose);
    EXPECT_NEAR(*std::ranges::max_element(k.dose) / peak, 1, 0.02);
    for (double depth = 5; depth < marched.range - 3; depth += 5) {
        EXPECT_NEAR(at(k, k.dose, depth) / at(marched, marched.dose, depth), 1, 0.01) << depth;
        EXPECT_NEAR(at(k, k.sigma, depth), at(marched, marched.sigma, depth), 0.02) << depth;
        EXPECT_NEAR(at(k, k.let, depth) / at(marched, marched.let, depth), 1, 0.03) << depth;
    }
    auto const energy = [](BaseEnergy const& b) {
        double sum = 0;
        for (std::size_t i = 1; i < b.depth.size(); ++i)
            sum += (b.depth[i] - b.depth[i - 1]) * (b.dose[i] + b.dose[i - 1]) / 2;
        return sum;
    };
    EXPECT_NEAR(energy(k) / energy(marched), 1, 0.003);
}

}  // namespace
}  // namespace sluice::proton

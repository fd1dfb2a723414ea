// Where beams end, beside ranges that straggling's moments spread (acceptance tests F and G of
// docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/proton/marching/straight_test.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

/// Of ranges: what collisions between two energies make of them, mm2 and mm3.
struct Moments {
    double variance = 0, third = 0;
};

Moments between(double low, double high) {
    Material const w;
    Moments m;
    constexpr int n = 20000;
    for (int i = 0; i < n; ++i) {
        double const e = low + (high - low) * (i + 0.5) / n, s = physics().stopping_power(e);
        m.variance += physics().straggling(w, e) / (s * s * s) * (high - low) / n;
        m.third += physics().straggling_third(w, e) / (s * s * s * s) * (high - low) / n;
    }
    return m;
}

// Where the dose of protons ends whose ranges have the table's mean, and straggling's variance and
// third moment: as a gamma distribution, for single collisions take much and none gives. Of the
// march this shares the physics and none of its operators.
BraggMetrics end_of(double energy) {
    Moments const m = between(0, energy);
    double const sigma = std::sqrt(m.variance), skew = m.third / (m.variance * sigma);
    double const shape = 4 / (skew * skew), range = physics().range(energy);
    DepthCurve c;
    for (double z = range - 12 * sigma; z < range + 6 * sigma; z += sigma / 100) {
        double dose = 0, all = 0;
        for (double x = -8; x < 8; x += 0.02) {
            double const g = shape + std::sqrt(shape) * x, left = range - sigma * x - z;
            if (!(g > 0)) continue;
            double const part = std::exp((shape - 1) * std::log(g / shape) - (g - shape));
            all += part;
            if (left > 0) dose += part * physics().stopping_power(physics().energy(left));
        }
        c.depth.push_back(z);
        c.dose.push_back(dose / all);
    }
    return bragg_metrics(c).value();
}

TEST(March, RangeIsThatOfTheTable) {
    for (double const energy : {70.0, 100.0, 150.0, 200.0}) {
        auto const end = end_of(energy);
        // The third moment takes R80 0.05 % farther than the mean of ranges.
        EXPECT_NEAR(end.r80, 1.0005 * physics().range(energy), 0.04);
        for (double const dz : {0.5, 0.25}) {
            double const range = physics().range(energy);
            auto const r =
                march(physics(), water(range * 1.1 + 5, 8, dz, 1), pencil(energy, 0.5), straight());
            ASSERT_TRUE(r) << r.error().text();
            auto const m = bragg_metrics(depth_dose(*r)).value();
            // Of 70 MeV ranges are spread by 1.2 rows of 0.5 mm: where rows lie at the end counts.
            EXPECT_NEAR(m.r80, end.r80,
                        dz == 0.25     ? 0.045
                        : energy == 70 ? 0.07
                                       : 0.06)
                << energy << " MeV, " << dz << " mm";
        }
    }
}

TEST(March, FallOffIsThatOfRangeStraggling) {
    for (double const energy : {70.0, 100.0, 150.0, 200.0}) {
        double const dz = energy < 100 ? 0.25 : 0.5;
        auto const r = march(physics(), water(physics().range(energy) * 1.1 + 5, 8, dz, 1),
                             pencil(energy, 0.5), straight());
        auto const m = bragg_metrics(depth_dose(*r)).value(), end = end_of(energy);
        // Straggling goes by whole rows, which makes a distribution more pointed where few rows are
        // its width: 2.4 at 70 MeV, 1.7 at 100.
        EXPECT_NEAR(m.fall_off, end.fall_off, (energy > 100 ? 0.03 : 0.035) * end.fall_off)
            << energy;
        EXPECT_NEAR(end.fall_off, 1.33 * std::sqrt(between(0, energy).variance),
                    0.07 * end.fall_off)
            << energy;
    }
}

// Ranges at half of the way: their third moment is nearly that of the collisions up to there, and
// that of a normal distribution would be 0.
TEST(March, RangesAreSpreadAsCollisionsSpreadThem) {
    for (double const energy : {70.0, 150.0, 230.0}) {
        double const range = physics().range(energy), dz = energy < 100 ? 0.25 : 0.5;
        MarchOptions o = straight();
        o.spectra_at = {range / 2};
        auto const r =
            march(physics(), water(range * 1.1 + 5, 8, dz, 1), pencil(energy, 0), o).value();
        ASSERT_EQ(r.spectra.size(), 1u);
        Spectrum const& s = r.spectra[0];
        double all = 0, first = 0, second = 0, third = 0;
        auto const sum = [&](double mean) {
            all = first = second = third = 0;
            for (std::size_t i = 0; i < s.protons.size(); ++i) {
                double const w = s.protons[i] * (s.edges[i + 1] - s.edges[i]);
                double const left =
                    (physics().range(s.edges[i]) + physics().range(s.edges[i + 1])) / 2 - mean;
                all += w, first += w * left, second += w * left * left;
                third += w * left * left * left;
            }
        };
        sum(0);
        sum(first / all);
        Moments const m = between(physics().energy(range - s.depth), energy);
        EXPECT_NEAR(second / all, m.variance, 0.05 * m.variance) << energy;
        // Protons with longer ranges straggle more, which takes a part of it back.
        EXPECT_NEAR(third / all, -0.87 * m.third, 0.06 * m.third) << energy;
    }
}

TEST(March, WithoutStragglingItIsContinuousSlowingDown) {
    // All protons are in one row, and each plane gets just what the table says.
    MarchOptions o = straight();
    o.straggling = false;
    double const range = physics().range(120);
    auto const r = march(physics(), water(range + 5, 8, 0.5, 1), pencil(120, 0.5), o);
    auto const d = depth_dose(*r);
    for (std::size_t k = 0; k < d.dose.size(); ++k) {
        double const in = physics().energy(range - d.depth[k] + 0.25);
        double const out = physics().energy(range - d.depth[k] - 0.25);
        ASSERT_NEAR(d.dose[k] * 0.5, in - out, 1e-4 * (in - out) + 1e-9) << d.depth[k];
    }
}

TEST(March, SlabsShiftTheRangeByTheirStoppingPower) {
    double const range = end_of(150).r80;
    auto const r80 = [&](Phantom const& p) {
        MarchOptions o = straight();
        o.threads = 1;
        return bragg_metrics(depth_dose(march(physics(), p, pencil(150, 0.5), o).value()))->r80;
    };
    Phantom phantom = water(200, 8, 0.5, 1);
    double const alone = r80(phantom);
    EXPECT_NEAR(alone, range, 0.05);
    for (char const* const name : {"cortical_bone", "lung", "air", "pmma", "aluminium"}) {
        phantom.materials = {material("water").value(), material(name).value()};
        phantom.map.assign(static_cast<std::size_t>(phantom.planes * phantom.columns), 0);
        // 20 mm, from 30 mm on.
        for (index k = 60; k < 100; ++k)
            for (index x = 0; x < phantom.columns; ++x)
                phantom.map[static_cast<std::size_t>(k * phantom.columns + x)] = 1;
        double const energy = physics().energy(range - 40);
        double const ratio = physics().relative_stopping_power(phantom.materials[1], energy);
        EXPECT_NEAR(alone - r80(phantom), 20 * (ratio - 1), 0.2) << name;
    }
}

}  // namespace
}  // namespace sluice::proton

// What slabs take of the range, beside NIST's tables of their materials (acceptance test R of
// docs/design/006).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "base/test_deep.h"
#include "domain/proton/marching/reference_data_test.h"
#include "domain/proton/marching/wide_field_test.h"

namespace sluice::proton {
namespace {

/// dE / (rho S), by a log-log line between the table's points.
double way(std::vector<double> const& energies, std::vector<double> const& stopping, double density,
           double from, double to) {
    constexpr int n = 4000;
    double sum = 0;
    std::size_t i = 1;
    for (int k = 0; k < n; ++k) {
        double const e = from + (to - from) * (k + 0.5) / n;
        while (i + 1 < energies.size() && energies[i] < e) ++i;
        double const part = std::log(e / energies[i - 1]) / std::log(energies[i] / energies[i - 1]);
        double const s = stopping[i - 1] * std::pow(stopping[i] / stopping[i - 1], part);
        sum += 10 * (to - from) / n / (s * density);
    }
    return sum;
}

/// The depth of 0.8 of the peak behind a slab.
double r80(Physics const& physics, double energy, std::string const& slab, double thick) {
    Phantom p = wide(1.1 * physics.range(energy), 0.5);
    p.materials = {*material("water"), *material(slab)};
    for (index z = 0; z < p.planes; ++z)
        p.map.insert(p.map.end(), static_cast<std::size_t>(p.columns),
                     (static_cast<double>(z) + 0.5) * p.dz < thick ? 1 : 0);
    MarchOptions o;
    o.angle_step = 0.02;
    auto const r = march(physics, p, {.energy = energy, .sigma_x = 5}, o);
    EXPECT_TRUE(r) << r.error().text();
    return bragg_metrics(depth_dose(*r)).value().r80;
}

// The tables say how far protons of the energy come in each; the stopping powers here are Bethe's,
// relative to water. What it cannot find: errors of the mean excitation energies, which both have
// from the same reports.
TEST(Slabs, TakeWhatPstarSays) {
    auto const [energy, water, aluminium, pmma, lexan] = table<5>("pstar_materials.txt");
    Physics const physics(WaterTable::pstar);
    struct Case {
        char const* name;
        std::vector<double> const& stopping;
        double thick, part;  ///< mm; of what is wanted, by which it may be off
    };
    for (double const beam : {150.0, 200.0}) {
        double const free = r80(physics, beam, "water", 0);
        for (Case const& c :
             {Case{"aluminium", aluminium, 30, 0.003}, Case{"aluminium", aluminium, 60, 0.003},
              Case{"pmma", pmma, 40, 0.0005}, Case{"pmma", pmma, 110, 0.0005},
              Case{"lexan", lexan, 40, 0.0005}, Case{"lexan", lexan, 110, 0.0005}}) {
            if (!deep_tests() && (beam > 150 || c.thick < 50)) continue;
            double const density = material(c.name)->density;
            double low = 6, high = beam;  // of what leaves the slab
            for (int k = 0; k < 60; ++k) {
                double const mid = (low + high) / 2;
                (way(energy, c.stopping, density, mid, beam) > c.thick ? low : high) = mid;
            }
            double const wanted = way(energy, water, 1, low, beam);
            double const found = free - r80(physics, beam, c.name, c.thick) + c.thick;
            EXPECT_NEAR(found, wanted, c.part * wanted)
                << c.name << ", " << c.thick << " mm, " << beam << " MeV";
        }
    }
}

}  // namespace
}  // namespace sluice::proton

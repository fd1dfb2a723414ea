// Depth doses where they are steep: from plane to plane, and beside integrals over ranges.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/wide_field_test.h"

namespace sluice::proton {
namespace {

// What is left of a plane's dose when a cubic through its neighbours is taken away.
double ripple(std::vector<double> const& dose, double from, double past, double dz) {
    double squares = 0, planes = 0;
    for (auto k = static_cast<std::size_t>(from / dz); k < static_cast<std::size_t>(past / dz);
         ++k) {
        double const smooth =
            (-dose[k - 2] + 4 * dose[k - 1] + 10 * dose[k] + 4 * dose[k + 1] - dose[k + 2]) / 16;
        squares += std::pow(1 - smooth / dose[k], 2);
        ++planes;
    }
    return std::sqrt(squares / planes);
}

// Halos begin once for a few planes, and each plane has its own part of them (0.26 % before).
TEST(EndOfRange, HalosMakeNoRipple) {
    double most = 0;
    for (double const dz : {0.5, 0.25}) {
        double const range = physics().range(150);
        auto const dose = depth_dose(marched(wide(1.08 * range, dz), 150, 0.9)).dose;
        most = std::max(most, ripple(dose, 0.9 * range, 0.95 * range, dz));
    }
    RecordProperty("ripple", std::to_string(most));
    EXPECT_LT(most, 2e-4);
}

// Protons that neither scatter nor straggle, with energies that are spread: wherever the beam's
// range lies among the rows (0.94 % of the peak before).
TEST(EndOfRange, DoseIsTheIntegralOverRanges) {
    constexpr double dz = 0.5, spread = 0.9;
    MarchOptions o;
    o.scattering = o.straggling = o.nuclear = o.out_of_plane = false;
    o.angle_step = 1.5 * std::numbers::pi / 180;
    o.precision = Precision::f64;
    double most = 0;
    for (double energy = 150; energy < 150.3; energy += 0.05) {
        Phantom const p = wide(165, dz);
        Beam const beam{.energy = energy, .energy_spread = spread, .sigma_x = 5};
        auto const dose = depth_dose(march(physics(), p, beam, o).value()).dose;
        std::vector<double> left(dose.size() + 1);
        double all = 0;
        constexpr int n = 400;
        for (int i = -n; i <= n; ++i) {
            double const u = 5.0 * i / n, part = std::exp(-u * u / 2);
            double const range = physics().range(energy + spread * u);
            all += part;
            for (std::size_t k = 0; k < left.size(); ++k) {
                double const rest = range - static_cast<double>(k) * dz;
                if (rest > 0) left[k] += part * physics().energy(rest);
            }
        }
        double const peak = *std::ranges::max_element(dose);
        for (std::size_t k = 0; k < dose.size(); ++k) {
            double const want = (left[k] - left[k + 1]) / all / dz;
            most = std::max(most, std::abs(dose[k] - want) / peak);
        }
    }
    RecordProperty("of_the_peak", std::to_string(most));
    EXPECT_LT(most, 1e-3);
}

}  // namespace
}  // namespace sluice::proton

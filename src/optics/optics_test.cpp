// Wavelengths beside tables, and the propagator beside the theory of small angles.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/optics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "optics/propagator.h"

namespace sluice::optics {
namespace {

// D. B. Williams and C. B. Carter, Transmission Electron Microscopy, 2009, table 1.2.
TEST(Wavelength, OfElectronsIsThatOfTheTables) {
    EXPECT_NEAR(electron_wavelength_nm(100), 0.00370, 5e-6);
    EXPECT_NEAR(electron_wavelength_nm(200), 0.00251, 5e-6);
    EXPECT_NEAR(electron_wavelength_nm(300), 0.00197, 5e-6);
    EXPECT_NEAR(photon_wavelength_nm(8.0478), 0.15406, 1e-5);  // copper K alpha
}

TEST(Propagator, IsFresnelsAtSmallAngles) {
    WaveGrid const grid{.side = 16, .pixel_nm = 0.1, .wavelength_nm = 0.002};
    double const distance = 20, tilt = 1e-3;
    Propagator const p = propagator_of(grid, distance, {tilt, 0});
    double const step = 2 * std::numbers::pi / (16 * 0.1);
    for (index r = 0; r < 16; ++r)
        for (index c = 0; c < 16; ++c) {
            auto const q = static_cast<std::size_t>(r * 16 + c);
            double const kr = step * static_cast<double>(fft::frequency(r, 16));
            double const kc = step * static_cast<double>(fft::frequency(c, 16));
            double const phase =
                -distance * (kr * kr + kc * kc) * grid.wavelength_nm / (4 * std::numbers::pi) +
                distance * kr * tilt;
            EXPECT_NEAR(std::arg(p.factors[q] * std::polar(1.0, -phase)), 0, 1e-3);
            EXPECT_NEAR(p.by_distance[q] * distance, phase, 1e-3);
            EXPECT_NEAR(p.by_tilt[0][q], distance * kr, 1e-3);
        }
    // Waves shorter than the wavelength do not go anywhere.
    WaveGrid const fine{.side = 16, .pixel_nm = 0.0005, .wavelength_nm = 0.002};
    EXPECT_EQ(propagator_of(fine, distance, {}).factors[8], std::complex<double>());
}

}  // namespace
}  // namespace sluice::optics

// The angular spectrum: how far apart waves are that were in step, and the factors of a distance.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "fft/frequency.h"

namespace sluice::optics {

/// The square that a wave is computed on.
struct WaveGrid {
    index side = 0;  ///< in pixels
    double pixel_nm = 0, wavelength_nm = 0;
};

/// work(pixel, kr, kc, kz - k0) [1/nm] for every direction that is not evanescent.
template <class Work>
void each_direction(WaveGrid const& grid, Work const& work) {
    index const n = grid.side;
    double const k0 = 2 * std::numbers::pi / grid.wavelength_nm;
    double const step = 2 * std::numbers::pi / (static_cast<double>(n) * grid.pixel_nm);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            double const kr = step * static_cast<double>(fft::frequency(r, n));
            double const kc = step * static_cast<double>(fft::frequency(c, n));
            double const across = kr * kr + kc * kc;
            // kz - k0 without the difference of large numbers
            if (across < k0 * k0)
                work(static_cast<std::size_t>(r * n + c), kr, kc,
                     -across / (std::sqrt(k0 * k0 - across) + k0));
        }
}

/// [row][col] of a spectrum; zero where directions are evanescent.
struct Propagator {
    std::vector<std::complex<double>> factors;
    /// The derivatives of its logarithm by distance [1/nm] and tilt [1/rad], all divided by i.
    std::vector<double> by_distance;
    std::array<std::vector<double>, 2> by_tilt;
};

/// Over a distance through a specimen that is tilted by (row, column).
Propagator propagator_of(WaveGrid const& grid, double distance_nm, std::array<double, 2> tilt_rad);

}  // namespace sluice::optics

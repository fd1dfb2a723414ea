// The propagator between slices, and how it changes with their distance and the specimen's tilt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "domain/ptychography/model.h"
#include "domain/ptychography/step/frequency.h"

namespace sluice::ptycho {

/// work(pixel, kr, kc, kz - k0) [1/nm] for every direction that is not evanescent.
template <class Work>
void each_direction(Model const& model, Work const& work) {
    index const n = model.window;
    double const k0 = 2 * std::numbers::pi / model.wavelength_nm;
    double const step = 2 * std::numbers::pi / (static_cast<double>(n) * model.pixel_nm);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            double const kr = step * static_cast<double>(frequency(r, n));
            double const kc = step * static_cast<double>(frequency(c, n));
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
    /// The derivatives of its logarithm by spacing [1/nm] and tilt [1/rad], all divided by i.
    std::vector<double> by_slice;
    std::array<std::vector<double>, 2> by_tilt;
};

Propagator propagator_of(Model const& model);

}  // namespace sluice::ptycho

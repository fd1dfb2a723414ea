// Phases that are sums of one of the row and one of the column, and what moves a wave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <numbers>
#include <span>
#include <vector>

#include "fft/frequency.h"

namespace sluice::optics {

/// Multiplies a wave [row][col] of side n by exp(i (row(r) + col(c))).
template <class Real, class Row, class Col>
void turn_phases(std::span<std::complex<Real>> wave, index n, Row const& row, Col const& col) {
    std::vector<std::complex<double>> across(static_cast<std::size_t>(n));
    for (index c = 0; c < n; ++c) across[static_cast<std::size_t>(c)] = std::polar(1.0, col(c));
    auto z = wave.begin();
    for (index r = 0; r < n; ++r) {
        std::complex<double> const down = std::polar(1.0, row(r));
        for (auto const& a : across) *z++ *= static_cast<std::complex<Real>>(down * a);
    }
}

/// exp(-2 pi i (k . d) / n) times a spectrum: its wave moves by d pixels.
template <class Real>
void move_spectrum(std::span<std::complex<Real>> spectrum, index n, double row, double col) {
    double const unit = -2 * std::numbers::pi / static_cast<double>(n);
    auto const along = [&](double d) {
        return
            [unit, d, n](index i) { return unit * d * static_cast<double>(fft::frequency(i, n)); };
    };
    turn_phases<Real>(spectrum, n, along(row), along(col));
}

}  // namespace sluice::optics

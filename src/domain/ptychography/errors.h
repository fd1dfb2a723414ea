// Errors: how far modelled patterns are from measured ones, in the sums that metrics are made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "sluice/view.h"

namespace sluice::ptycho {

/// Sums over the valid pixels of one pattern or many.
struct Errors {
    double amplitude = 0;   ///< (sqrt(model) - sqrt(counts))^2
    double counts = 0;      ///< counts
    double model = 0;       ///< modelled counts
    double difference = 0;  ///< (model - counts)^2
    double squares = 0;     ///< counts^2
    double loss = 0;        ///< of the likelihood in use
    double noise = 0;       ///< what Poisson's noise alone makes of `amplitude`, where asked for

    Errors& operator+=(Errors const& o) {
        amplitude += o.amplitude;
        counts += o.counts;
        model += o.model;
        difference += o.difference;
        squares += o.squares;
        loss += o.loss;
        noise += o.noise;
        return *this;
    }
    /// As numbers that ranks add up.
    std::array<double, 7> numbers() const {
        return {amplitude, counts, model, difference, squares, loss, noise};
    }
    static Errors of(std::array<double, 7> const& n) {
        return {n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
    }
    /// sqrt(sum (sqrt(model) - sqrt(counts))^2 / sum counts), the R factor of amplitudes.
    double r() const { return std::sqrt(amplitude / counts); }
    double r_intensity() const { return std::sqrt(difference / squares); }
    bool finite() const { return std::isfinite(amplitude) && std::isfinite(model); }
};

}  // namespace sluice::ptycho

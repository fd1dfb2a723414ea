// Patterns of a known object and probe, made without any code of the steps: sums of exponentials by
// rows and columns, in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::ptycho {

struct Truth {
    index side = 32;
    index rows = 0, cols = 0;
    std::vector<std::complex<double>> object, probe;  ///< [row][col]
    stem4d::Patterns patterns;

    std::vector<std::complex<float>> probe_as_given() const { return {probe.begin(), probe.end()}; }
};

/// A smooth phase and modulus under a probe of `counts` counts, on a jittered raster of whole
/// pixels. Counts are exact numbers, or drawn with Poisson's noise.
Truth simulate(index side, index places, double step, double counts, bool noise);

}  // namespace sluice::ptycho

// Patterns of a known object and probe, made without any code of the steps: sums of exponentials by
// rows and columns, in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

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

/// The same of another object (row, col), and of a probe that is multiplied for each pattern:
/// (pattern, row, col), both in pixels from the window's middle. Empty: as above.
struct Wish {
    std::function<std::complex<double>(double, double)> object = {};
    std::function<std::complex<double>(index, double, double)> probe = {};
};
Truth simulate(index side, index places, double step, double counts, bool noise, Wish const& wish);

/// The phase's error about the middle of the object, after the constant and the linear ramp in
/// which object and probe may differ are taken off, in rad.
double phase_error(stem4d::PtychographyResult const& result, Truth const& truth);

}  // namespace sluice::ptycho

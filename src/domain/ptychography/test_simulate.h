// Patterns of a known object and probe, made without any code of the steps: sums of exponentials by
// rows and columns, in double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

struct Truth {
    index side = 32;
    index rows = 0, cols = 0;
    std::vector<std::complex<double>> object, probe;  ///< [row][col]
    stem4d::Patterns patterns;
    std::vector<stem4d::Position> positions;  ///< where the probe was in truth

    std::vector<std::complex<float>> probe_as_given() const { return {probe.begin(), probe.end()}; }
};

/// Another object (row, col), and a probe that is multiplied for each pattern: (pattern, row, col),
/// both in pixels from the window's middle. Empty: the usual ones.
struct Wish {
    std::function<std::complex<double>(double, double)> object = {};
    std::function<std::complex<double>(index, double, double)> probe = {};
};

struct Simulation {
    index side = 32;  ///< of a pattern
    index places = 7;
    double step = 5, counts = 1e6;
    bool noise = false;
    /// True positions are those given times this matrix (about the middle of the scan) plus a
    /// normal deviate of so many pixels.
    std::array<double, 4> affine = {1, 0, 0, 1};
    double jitter = 0;
    /// Of pattern (row, col) by its place from -1 to 1 in the scan, in its pixels.
    std::array<double, 4> descan = {};
    double background = 0;  ///< counts in the middle of a pattern, falling outwards
    index bin = 1;          ///< pixels of the wave's spectrum in one of the pattern's
    /// Slices at distance_nm, tilted (row, col), of pixels of pixel_nm; one slice: no propagation.
    index slices = 1;
    double slice_nm = 0, wavelength_nm = 0, pixel_nm = 0;
    std::array<double, 2> tilt_rad = {};
    double near_nm = 0;  ///< above 0: to the detector; it is a near field
    Wish wish = {};
};

/// A smooth phase and modulus under a probe of `counts` counts, on a jittered raster of whole
/// pixels. Counts are exact numbers, or drawn with Poisson's noise.
Truth simulate(Simulation const& simulation);
Truth simulate(index side, index places, double step, double counts, bool noise);

Truth simulate(index side, index places, double step, double counts, bool noise, Wish const& wish);

/// The phase's error about the middle of the object, after the constant and the linear ramp in
/// which object and probe may differ are taken off, in rad.
double phase_error(stem4d::PtychographyResult const& result, Truth const& truth);

/// The slope of found phases over the true ones about the middle of the object, beside a constant
/// and a linear ramp: 1 where phases are as high as they are in truth.
double phase_slope(stem4d::PtychographyResult const& result, Truth const& truth);

/// [row][col] of a pattern, row by row from zero frequency.
std::vector<double> background_of(Simulation const& simulation);

/// The root mean square of a - b without their mean, in pixels.
double apart(std::vector<stem4d::Position> const& a, std::vector<stem4d::Position> const& b);

}  // namespace sluice::ptycho

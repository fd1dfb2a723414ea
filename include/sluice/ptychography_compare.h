// Reconstructions beside a truth or beside each other: without what no pattern tells, and how fine
// they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/ptychography.h"

namespace sluice::stem4d {

/// A phase that is a plane.
struct Ramp {
    double row = 0, col = 0;  ///< rad from one pixel to the next
    double phase = 0;         ///< rad at [0][0]
};

/// Takes the ramp off an object [row][col] or [slice][row][col] and gives it back. Its slope is the
/// most common gradient of the phase, so that vacuum stays flat beside what is not; wraps do not
/// matter. Its phase is that of the mean of the rest. Slices share it.
/// `region` is [row][col], 0: not looked at; empty: all pixels are. Fails where the shapes do not
/// fit or the object holds NaN or infinity.
Result<Ramp> remove_ramp(Array<std::complex<float>>& object,
                         std::vector<std::uint8_t> const& region = {});

/// Of the part that the probe lit. The probe of a single slice takes the ramp over, so that all
/// patterns stay as they are; with several slices it stays, and patterns change.
Result<Ramp> remove_ramp(PtychographyResult& result);

/// The part of an object that the scan lit from all sides: the rectangle about the windows'
/// middles.
struct LitPart {
    index row = 0, col = 0;  ///< its first pixel on the object
    index rows = 0, cols = 0;
    /// [row][col] of the part, 1: the probe left at least a tenth there of what it left at most.
    std::vector<std::uint8_t> lit = {};
};
Result<LitPart> lit_part(PtychographyResult const& result);

/// An object on its truth.
struct Alignment {
    Array<std::complex<float>> object;  ///< [row][col], moved, without the ramp and the scale
    Position shift = {};                ///< what it was moved by, in pixels
    Ramp ramp = {};                     ///< what was taken off
    double scale = 1;                   ///< what it was divided by
    double phase_rms = 0;               ///< of the difference, in rad, over the region
    double amplitude_rms = 0;           ///< of the difference over the truth's mean amplitude
};

/// Takes off what no pattern tells: a complex scale, a ramp and a translation of up to an eighth of
/// the sides. Both are [row][col] of one shape; `region` as in remove_ramp().
Result<Alignment> align(Array<std::complex<float>> const& found,
                        Array<std::complex<float>> const& truth,
                        std::vector<std::uint8_t> const& region = {});

/// The correlation of two objects on rings of frequencies: M. van Heel and M. Schatz,
/// 10.1016/j.jsb.2005.05.009.
struct RingCorrelation {
    std::vector<double> frequency = {};    ///< 1/nm; cycles per pixel where the pixel is not known
    std::vector<double> correlation = {};  ///< -1 to 1
    /// The half-bit curve (0.2071 + 1.9102 / sqrt n) / (1.2071 + 0.9102 / sqrt n). n counts what is
    /// independent on a ring: its pixels / 2.25, because of the window.
    std::vector<double> threshold = {};
    /// The period at which the correlation falls below it, in nm (or pixels); where it never does,
    /// two pixels, and `crossed` is false.
    double resolution = 0;
    bool crossed = false;
    Position shift = {};  ///< of the second object against the first, taken off before
};

/// Both are [row][col] of one shape, at least 16 pixels a side, and within four pixels of each
/// other. Ramps, the mean, and that shift are taken off before, and a Hann window is laid on them.
Result<RingCorrelation> ring_correlation(Array<std::complex<float>> const& a,
                                         Array<std::complex<float>> const& b, double pixel_nm);

}  // namespace sluice::stem4d

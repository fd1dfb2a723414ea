// Optics of electrons: wavelengths, aberrations and the probe that an aperture forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::optics {

/// The wavelength of electrons that fell through so many kilovolts, with relativity.
double electron_wavelength_nm(double kilovolts);
/// The wavelength of photons.
double photon_wavelength_nm(double kiloelectronvolts);

/// An aberration as O. L. Krivanek, N. Dellby and A. R. Lupini count them
/// (10.1016/S0304-3991(99)00013-3): chi has 2 pi / wavelength C_nm a^(n + 1) / (n + 1) cos(m (phi -
/// phi_nm)). m is at most n + 1, and n + m is odd.
struct Aberration {
    int n = 0, m = 0;
    double nm = 0, degrees = 0;  ///< C_nm, and phi_nm from columns to rows
};
/// "C23=400@30": C23 of 400 nm at 30 degrees; without an angle, 0 degrees.
Result<Aberration> parse_aberration(std::string const& text);

/// A round aperture and its aberrations: exp(-i chi), chi = 2 pi / wavelength (C10 a^2 / 2 + C12
/// a^2 cos(2 (phi - phi12)) / 2 + C30 a^4 / 4 and others) for the angle a, with C10 = -defocus.
struct ProbeOptics {
    double semiangle_mrad = 0;
    double defocus_nm = 0;                               ///< positive: under focus
    double astigmatism_nm = 0, astigmatism_degrees = 0;  ///< C12 and phi12, from columns to rows
    double spherical_mm = 0;                             ///< C30
    std::vector<Aberration> aberrations = {};            ///< added to those
    /// [row][col] of the detector, without a specimen: instead of a round aperture, the moduli are
    /// the roots of this. It is 0 where patterns have bad pixels.
    Array<double> vacuum = {};
    /// (row, column) of its beam, rounded to whole pixels; empty: the centre of mass of what is
    /// bright.
    std::optional<std::array<double, 2>> vacuum_center = {};
};
/// [row][col] of a window, its middle at [size / 2][size / 2], of power 1. Fails where the aperture
/// is wider than the patterns, and where a vacuum image is empty.
Result<std::vector<std::complex<float>>> probe_of(ProbeOptics const& optics, index size,
                                                  double pixel_nm, double wavelength_nm);

}  // namespace sluice::optics

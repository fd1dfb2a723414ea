// Wavelengths of electrons and photons.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sluice/optics.h"

namespace sluice::optics {

double electron_wavelength_nm(double kilovolts) {
    // h / sqrt(2 m e U (1 + e U / (2 m c^2))), CODATA 2018.
    constexpr double h = 6.62607015e-34, m = 9.1093837015e-31, e = 1.602176634e-19;
    constexpr double c = 299792458;
    double const volts = kilovolts * 1e3;
    return 1e9 * h / std::sqrt(2 * m * e * volts * (1 + e * volts / (2 * m * c * c)));
}

double photon_wavelength_nm(double kiloelectronvolts) {
    // h c / e, CODATA 2018.
    return 1.239841984 / kiloelectronvolts;
}

}  // namespace sluice::optics

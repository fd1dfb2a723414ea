// Constants of nature and of protons, in MeV and millimetres (CODATA 2018).
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::proton {

inline constexpr double proton_mass = 938.272088;            ///< MeV
inline constexpr double electron_mass = 0.51099895;          ///< MeV
inline constexpr double avogadro = 6.02214076e23;            ///< 1/mol
inline constexpr double electron_radius = 2.8179403262e-12;  ///< mm
inline constexpr double fine_structure = 1 / 137.035999084;
inline constexpr double joule_per_mev = 1.602176634e-13;
/// Of 1 MeV per mm in 1 g/cm3: a dose times its area.
inline constexpr double gray_mm2 = joule_per_mev / 1e-6;

/// The square of the velocity in units of light's, for a kinetic energy in MeV.
inline double beta_squared(double energy) {
    double const gamma = 1 + energy / proton_mass;
    return 1 - 1 / (gamma * gamma);
}

/// Momentum times velocity, MeV.
inline double momentum_velocity(double energy) {
    return energy * (energy + 2 * proton_mass) / (energy + proton_mass);
}

}  // namespace sluice::proton

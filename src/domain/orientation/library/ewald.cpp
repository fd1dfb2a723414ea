// The sphere, and the average over a cone.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/ewald.h"

#include "sluice/optics.h"

namespace sluice::orient {
namespace {

constexpr double angstrom_of_nm = 10;
// Of half a turn of the cone: enough for 50 mrad at 2 1/ångström and the usual sigma.
constexpr int cone_steps = 24;

}  // namespace

Ewald::Ewald(double kilovolts, double sigma, double precession_mrad, double factor)
    : wavelength_(optics::electron_wavelength_nm(kilovolts) * angstrom_of_nm * factor),
      sigma_(sigma),
      precession_(precession_mrad / 1000) {}

double Ewald::excitation(Vector3 const& q) const {
    double const l = wavelength_;
    return -(2 * q[2] + l * dot(q, q)) / (2 + 2 * l * q[2]);
}

double Ewald::height(double excitation, double frequency) const {
    double const l = wavelength_;
    return -(l * frequency * frequency + 2 * excitation) / (2 + 2 * l * excitation);
}

std::array<double, 2> Ewald::envelope_slope(double excitation, double across) const {
    double const over = 1 / (sigma_ * sigma_);
    if (!precesses()) {
        double const value = std::exp(-excitation * excitation * over / 2);
        return {value, -excitation * over * value};
    }
    double value = 0, slope = 0;
    for (int i = 0; i < cone_steps; ++i) {
        double const at = std::numbers::pi * (i + 0.5) / cone_steps;
        double const s = excitation + precession_ * across * std::cos(at);
        double const part = std::exp(-s * s * over / 2) / cone_steps;
        value += part;
        slope -= s * over * part;
    }
    return {value, slope};
}

double Ewald::envelope(double excitation, double across) const {
    return envelope_slope(excitation, across)[0];
}

double Ewald::reach(double part, double across) const {
    return sigma_ * std::sqrt(-2 * std::log(part)) + precession_ * across;
}

}  // namespace sluice::orient

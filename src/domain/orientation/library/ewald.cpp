// The sphere, and the average over a cone.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/ewald.h"

#include <algorithm>
#include <complex>

#include "sluice/optics.h"

namespace sluice::orient {
namespace {

constexpr double angstrom_of_nm = 10;
// Of half a turn of the cone: enough for 50 mrad at 2 1/ångström and the usual sigma.
constexpr int cone_steps = 24;
// 1/ångström: tails of slabs do not end, but what is farther off is too weak to be found.
constexpr double most_reach = 0.12;

}  // namespace

Ewald::Ewald(double kilovolts, double sigma, double precession_mrad, double factor,
             Envelope envelope)
    : wavelength_(optics::electron_wavelength_nm(kilovolts) * angstrom_of_nm * factor),
      sigma_(sigma),
      precession_(precession_mrad / 1000),
      envelope_(envelope) {}

double Ewald::excitation(Vector3 const& q) const {
    double const l = wavelength_;
    return -(2 * q[2] + l * dot(q, q)) / (2 + 2 * l * q[2]);
}

double Ewald::height(double excitation, double frequency) const {
    double const l = wavelength_;
    return -(l * frequency * frequency + 2 * excitation) / (2 + 2 * l * excitation);
}

std::array<double, 2> Ewald::envelope_slope(double excitation, double across) const {
    return envelope_ == Envelope::gaussian ? gaussian(excitation, across)
                                           : slab(excitation, across);
}

// The average over the cone has a closed form: of 1 / (a + b cos t) it is 1 / sqrt(a^2 - b^2), and
// 1 / (1 + x^2) is the real part of 1 / (1 - i x).
std::array<double, 2> Ewald::slab(double excitation, double across) const {
    std::complex<double> const a(1, -excitation / sigma_);
    double const b = precession_ * across / sigma_;
    std::complex<double> const value = 1.0 / std::sqrt(a * a + b * b);
    std::complex<double> const slope =
        std::complex<double>(0, 1 / sigma_) * a * value * value * value;
    return {value.real(), slope.real()};
}

std::array<double, 2> Ewald::gaussian(double excitation, double across) const {
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
    double const alone = envelope_ == Envelope::gaussian
                             ? sigma_ * std::sqrt(-2 * std::log(part))
                             : std::min(sigma_ * std::sqrt(1 / part - 1), most_reach);
    return alone + precession_ * across;
}

}  // namespace sluice::orient

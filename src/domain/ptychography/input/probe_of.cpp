// probe_of(): an aperture with aberrations, as a wave at the specimen.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/ptychography/step/optics.h"

namespace sluice::stem4d {

double electron_wavelength_nm(double kilovolts) {
    // h / sqrt(2 m e U (1 + e U / (2 m c^2))), CODATA 2018.
    constexpr double h = 6.62607015e-34, m = 9.1093837015e-31, e = 1.602176634e-19;
    constexpr double c = 299792458;
    double const volts = kilovolts * 1e3;
    return 1e9 * h / std::sqrt(2 * m * e * volts * (1 + e * volts / (2 * m * c * c)));
}

Result<std::vector<std::complex<float>>> probe_of(ProbeOptics const& optics, index size,
                                                  double pixel_nm, double wavelength_nm) {
    if (!(pixel_nm > 0) || !(wavelength_nm > 0) || size < 8)
        return Error{Code::invalid_argument,
                     "a probe needs the pixel's size and the wavelength in nm"};
    double const step = wavelength_nm / (static_cast<double>(size) * pixel_nm);  // rad
    double const semiangle = optics.semiangle_mrad * 1e-3;
    double const widest = 0.5 * step * static_cast<double>(size);
    if (!(semiangle > 0) || semiangle >= widest)
        return Error{Code::invalid_argument,
                     fmt::format("an aperture of {:.3g} mrad and patterns that reach {:.3g} mrad "
                                 "(the beam must lie inside) check both",
                                 optics.semiangle_mrad, widest * 1e3)};
    SLUICE_TRY(auto const plans, ptycho::Optics<double>::make({.window = size, .detector = size}));
    ptycho::Wave<double> wave(static_cast<std::size_t>(size * size));
    double const unit = std::numbers::pi / wavelength_nm;
    double power = 0;
    for (index r = 0; r < size; ++r)
        for (index c = 0; c < size; ++c) {
            double const y = step * static_cast<double>(ptycho::frequency(r, size));
            double const x = step * static_cast<double>(ptycho::frequency(c, size));
            double const angle = std::hypot(x, y);
            // An edge of one pixel.
            double const inside = std::clamp((semiangle - angle) / step + 0.5, 0.0, 1.0);
            double const turn =
                2 * (std::atan2(y, x) - optics.astigmatism_degrees * std::numbers::pi / 180);
            double const square = angle * angle;
            double const chi =
                unit * ((-optics.defocus_nm + optics.astigmatism_nm * std::cos(turn)) * square +
                        0.5 * optics.spherical_mm * 1e6 * square * square);
            wave[static_cast<std::size_t>(r * size + c)] = std::polar(inside, -chi);
            power += inside * inside;
        }
    for (auto& z : wave)
        if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
            return Error{Code::invalid_argument, "the aberrations are no finite numbers"};
    index const half = size / 2;
    auto const middle = static_cast<double>(half);
    plans.move_spectrum(wave, middle, middle);
    plans.inverse(wave);
    std::vector<std::complex<float>> probe;
    for (auto const& z : wave)
        probe.push_back(static_cast<std::complex<float>>(z / std::sqrt(power)));
    return probe;
}

}  // namespace sluice::stem4d

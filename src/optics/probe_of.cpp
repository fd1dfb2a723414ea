// probe_of(): an aperture with aberrations, as a wave at the specimen.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fft/fft.h"
#include "optics/aberrations.h"
#include "optics/phase.h"
#include "optics/window.h"

namespace sluice::optics {

namespace {

Error no_probe(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

struct Angles {
    double angle, phi;  ///< from the axis, and from columns to rows
    Angles(index r, index c, index size, double step) {
        double const y = step * static_cast<double>(fft::frequency(r, size));
        double const x = step * static_cast<double>(fft::frequency(c, size));
        angle = std::hypot(x, y);
        phi = std::atan2(y, x);
    }
};

// What is brighter than half of the beam; single pixels that are much brighter count as the beam.
std::array<double, 2> beam_of(Array<double> const& image) {
    auto sorted = image.values;
    auto const nth = sorted.begin() + std::ssize(sorted) * 99 / 100;
    std::nth_element(sorted.begin(), nth, sorted.end());
    double const bright = *nth > 0 ? *nth : *std::max_element(nth, sorted.end());
    double sum = 0, row = 0, col = 0;
    for (index r = 0; r < image.shape[0]; ++r)
        for (index c = 0; c < image.shape[1]; ++c) {
            double const value =
                std::min(image.values[static_cast<std::size_t>(r * image.shape[1] + c)], bright);
            if (value < 0.5 * bright) continue;
            sum += value;
            row += value * static_cast<double>(r);
            col += value * static_cast<double>(c);
        }
    return {row / sum, col / sum};
}

// Moduli, zero frequency first.
Result<std::vector<double>> moduli_of_vacuum(ProbeOptics const& optics, index size) {
    Array<double> const& image = optics.vacuum;
    if (image.shape.size() != 2)
        return no_probe(
            "a vacuum image must have the two axes of the detector (this one has other axes)");
    if (image.shape[0] < 1 || image.shape[1] < 1 ||
        image.size() / image.shape[0] != image.shape[1] || image.size() % image.shape[0] != 0)
        return no_probe(
            fmt::format("the vacuum image has {} values and the shape {}x{} (they are its pixels) "
                        "give a value for each",
                        image.size(), image.shape[0], image.shape[1]));
    double sum = 0;
    for (double value : image.values) {
        if (!std::isfinite(value) || value < 0)
            return no_probe(
                "the vacuum image holds negative counts, NaN or infinity (their roots are taken) "
                "set such pixels to 0");
        sum += value;
    }
    if (!(sum > 0)) return no_probe("the vacuum image is empty (it must show the direct beam)");
    index cut = 0;
    auto const from = pixels_from({image.shape[0], image.shape[1]},
                                  optics.vacuum_center.value_or(beam_of(image)), size, cut);
    std::vector<double> moduli;
    double kept = 0;
    for (index at : from) {
        double const value = at < 0 ? 0 : image.values[static_cast<std::size_t>(at)];
        kept += value;
        moduli.push_back(std::sqrt(value));
    }
    if (kept < 0.5 * sum)
        return no_probe(
            fmt::format("patterns of {} pixels a side hold {:.0f} % of the vacuum image "
                        "(its beam lies elsewhere) give its centre or larger patterns",
                        size, 100 * kept / sum));
    return moduli;
}

// The same of a round aperture, whose edge is one pixel wide.
Result<std::vector<double>> moduli_of_aperture(double semiangle, index size, double step) {
    double const widest = 0.5 * step * static_cast<double>(size);
    if (!(semiangle > 0) || semiangle >= widest)
        return no_probe(
            fmt::format("an aperture of {:.3g} mrad and patterns that reach {:.3g} mrad "
                        "(the beam must lie inside) check both",
                        semiangle * 1e3, widest * 1e3));
    std::vector<double> moduli;
    for (index r = 0; r < size; ++r)
        for (index c = 0; c < size; ++c)
            moduli.push_back(
                std::clamp((semiangle - Angles(r, c, size, step).angle) / step + 0.5, 0.0, 1.0));
    return moduli;
}

}  // namespace

Result<std::vector<std::complex<float>>> probe_of(ProbeOptics const& optics, index size,
                                                  double pixel_nm, double wavelength_nm) {
    if (size < 8 || size > 4096)
        return no_probe(fmt::format("a window of {} pixels a side (8 to 4096 are possible)", size));
    if (!(pixel_nm > 0) || !(wavelength_nm > 0))
        return no_probe("a probe needs the pixel's size and the wavelength in nm");
    double const step = wavelength_nm / (static_cast<double>(size) * pixel_nm);  // rad
    SLUICE_TRY(auto const moduli, optics.vacuum.values.empty()
                                      ? moduli_of_aperture(optics.semiangle_mrad * 1e-3, size, step)
                                      : moduli_of_vacuum(optics, size));
    SLUICE_TRY(auto const aberrations, aberrations_of(optics));
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {size, size}}));
    std::vector<std::complex<double>> wave;
    double power = 0;
    for (index r = 0; r < size; ++r)
        for (index c = 0; c < size; ++c) {
            double const modulus = moduli[wave.size()];
            Angles const at(r, c, size, step);
            wave.push_back(
                std::polar(modulus, -chi_of(aberrations, at.angle, at.phi, wavelength_nm)));
            power += modulus * modulus;
        }
    for (auto& z : wave)
        if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
            return no_probe("the aberrations are not finite numbers");
    index const half = size / 2;
    auto const middle = static_cast<double>(half);
    move_spectrum<double>(wave, size, middle, middle);
    SLUICE_CHECK(plan.inverse(wave));
    auto const unit = static_cast<double>(size);  // orthonormal
    std::vector<std::complex<float>> probe;
    for (auto const& z : wave)
        probe.push_back(static_cast<std::complex<float>>(unit * z / std::sqrt(power)));
    return probe;
}

}  // namespace sluice::optics

// Causes that lie in the probe: it was not given, or is another one, or is not coherent.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/ptychography/counts.h"
#include "domain/ptychography/judge/causes/causes.h"
#include "fft/fft.h"
#include "fft/frequency.h"

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;

double signed_frequency(index k, index n) {
    return static_cast<double>(fft::frequency(k, n));
}

std::vector<double> mean_pattern(Patterns const& patterns) {
    std::vector<double> mean(static_cast<std::size_t>(patterns.size * patterns.size));
    for (index j = 0; j < patterns.count(); ++j)
        with_pattern(patterns, j, [&](auto const* counts) {
            for (std::size_t q = 0; q < mean.size(); ++q)
                if (patterns.bad.empty() || !patterns.bad[q])
                    mean[q] += static_cast<double>(counts[q]);
        });
    return mean;
}

// The radius within which half of the counts are, and by that of a disk, in pixels of a pattern.
double aperture_radius(std::vector<double> const& mean, index n) {
    std::vector<double> by_radius(static_cast<std::size_t>(2 * n));
    double all = 0;
    for (index i = 0; i < n * n; ++i) {
        double const r = std::hypot(signed_frequency(i / n, n), signed_frequency(i % n, n));
        by_radius[static_cast<std::size_t>(r + 0.5)] += mean[static_cast<std::size_t>(i)];
        all += mean[static_cast<std::size_t>(i)];
    }
    double within = 0;
    for (std::size_t r = 0; r < by_radius.size(); ++r) {
        within += by_radius[r];
        if (within >= 0.5 * all) return static_cast<double>(r) * std::numbers::sqrt2;
    }
    return 0;
}

// The mean pattern's moduli, with exp(i pi bend k^2) of k in cycles per pixel of the object.
Result<std::vector<std::complex<float>>> bent(std::vector<double> const& mean, index n,
                                              double bend) {
    std::vector<Complex> wave;
    for (index i = 0; i < n * n; ++i) {
        double const y = signed_frequency(i / n, n) / static_cast<double>(n);
        double const x = signed_frequency(i % n, n) / static_cast<double>(n);
        wave.push_back(std::polar(std::sqrt(mean[static_cast<std::size_t>(i)]),
                                  std::numbers::pi * bend * (y * y + x * x)));
    }
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {n, n}}));
    SLUICE_CHECK(plan.inverse(wave));
    std::vector<std::complex<float>> probe(wave.size());
    for (index i = 0; i < n * n; ++i) {
        index const r = (i / n + n / 2) % n, c = (i % n + n / 2) % n;
        probe[static_cast<std::size_t>(r * n + c)] =
            static_cast<std::complex<float>>(wave[static_cast<std::size_t>(i)]);
    }
    return probe;
}

}  // namespace

std::vector<Cause> other_probes(Patterns const& patterns, PtychographyOptions const& options) {
    std::vector<Cause> causes;
    index const n = patterns.size;
    // A near field is an image: its moduli do not show an aperture.
    if (options.window != 0 || options.detector_bin != 1 ||
        options.propagation == stem4d::Propagation::near)
        return causes;
    auto const mean = mean_pattern(patterns);
    double const edge = aperture_radius(mean, n) / static_cast<double>(n);
    if (!(edge > 0)) return causes;
    for (double const part : {0.06, 0.1, 0.16, 0.25})
        for (double const sign : {1.0, -1.0}) {
            // exp(i pi bend k^2) moves frequency k by bend k pixels.
            double const bend = sign * part * static_cast<double>(n) / edge;
            auto probe = bent(mean, n, bend);
            if (!probe) return causes;
            Cause cause{.probe = *std::move(probe)};
            cause.tried.name = "probe";
            cause.tried.advice =
                "give the first probe by its aperture and defocus, or by a vacuum image";
            if (patterns.wavelength_nm > 0 && patterns.pixel_nm > 0)
                cause.tried.advice += fmt::format(
                    " (the mean pattern with a defocus of about {:.2g} nm fits better)",
                    bend * patterns.pixel_nm * patterns.pixel_nm / patterns.wavelength_nm);
            causes.push_back(std::move(cause));
        }
    return causes;
}

std::vector<Cause> more_modes(PtychographyOptions const& options) {
    Cause cause{.modes = options.modes + 2};
    cause.tried.name = "modes";
    cause.tried.advice = fmt::format("take more modes of the probe ({} or more)", cause.modes);
    return {cause};
}

}  // namespace sluice::ptycho

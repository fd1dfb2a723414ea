// Masks on the probe, in real space and on its spectrum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/probe_limits.h"

#include <algorithm>
#include <cmath>

#include "domain/ptychography/step/optics.h"
#include "domain/ptychography/step/pattern_work.h"

namespace sluice::ptycho {

template <class Real>
void keep_in_window(std::vector<Planar<Real>>& probe, double radius) {
    for (auto& plane : probe) {
        index const n = plane.rows();
        index const half = n / 2;
        double const middle = static_cast<double>(half);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) {
                double const away =
                    std::hypot(static_cast<double>(r) - middle, static_cast<double>(c) - middle);
                double const part =
                    std::exp(-std::pow(away / (radius * static_cast<double>(n)), 5));
                plane.set(r, c, plane.at(r, c) * static_cast<Real>(part));
            }
    }
}

template <class Real>
Status keep_in_aperture(std::vector<Planar<Real>>& probe, double radius) {
    if (probe.empty()) return {};
    index const n = probe.front().rows();
    SLUICE_TRY(auto const optics, Optics<Real>::make({.window = n, .detector = n}));
    Wave<Real> wave;
    for (auto& plane : probe) {
        to_wave(plane, wave);
        optics.forward(wave);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) {
                double const away = std::hypot(static_cast<double>(frequency(r, n)),
                                               static_cast<double>(frequency(c, n)));
                auto const part = static_cast<Real>(std::clamp(radius - away + 0.5, 0.0, 1.0));
                wave[static_cast<std::size_t>(r * n + c)] *= part;
            }
        optics.inverse(wave);
        from_wave(wave, plane);
    }
    return {};
}

template void keep_in_window(std::vector<Planar<float>>&, double);
template void keep_in_window(std::vector<Planar<double>>&, double);
template Status keep_in_aperture(std::vector<Planar<float>>&, double);
template Status keep_in_aperture(std::vector<Planar<double>>&, double);

}  // namespace sluice::ptycho

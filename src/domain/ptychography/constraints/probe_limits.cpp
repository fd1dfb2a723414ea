// Masks on the probe, in real space and on its spectrum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/constraints/probe_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/ptychography/step/optics.h"
#include "domain/ptychography/step/pattern_work.h"
#include "fft/frequency.h"

namespace sluice::ptycho {

namespace {

// From the middle of a window of n pixels, squared: most pixels lie within, and need no root.
double squared_way(index r, index c, index n) {
    index const half = n / 2;
    auto const row = static_cast<double>(r - half), col = static_cast<double>(c - half);
    return row * row + col * col;
}

}  // namespace

template <class Real>
void keep_in_window(std::vector<Planar<Real>>& probe, double radius, double rest) {
    constexpr double edge = 0.1;
    for (auto& plane : probe) {
        index const n = plane.rows();
        auto const side = static_cast<double>(n);
        double const within = radius * radius * side * side;
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) {
                double const way = squared_way(r, c, n);
                if (way <= within) continue;
                double const out = (std::sqrt(way) / side - radius) / edge;
                double const turn = std::numbers::pi * out;
                double const part = out >= 1 ? rest : rest + (1 - rest) * (1 + std::cos(turn)) / 2;
                plane.set(r, c, plane.at(r, c) * static_cast<Real>(part));
            }
    }
}

template <class Real>
double power_beyond(std::vector<Planar<Real>> const& probe, double radius) {
    double all = 0, beyond = 0;
    for (auto const& plane : probe) {
        index const n = plane.rows();
        double const within = radius * radius * static_cast<double>(n * n);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c) {
                auto const power = static_cast<double>(std::norm(plane.at(r, c)));
                all += power;
                if (squared_way(r, c, n) > within) beyond += power;
            }
    }
    return all > 0 ? beyond / all : 0;
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
                double const away = std::hypot(static_cast<double>(fft::frequency(r, n)),
                                               static_cast<double>(fft::frequency(c, n)));
                auto const part = static_cast<Real>(std::clamp(radius - away + 0.5, 0.0, 1.0));
                wave[static_cast<std::size_t>(r * n + c)] *= part;
            }
        optics.inverse(wave);
        from_wave(wave, plane);
    }
    return {};
}

template void keep_in_window(std::vector<Planar<float>>&, double, double);
template void keep_in_window(std::vector<Planar<double>>&, double, double);
template double power_beyond(std::vector<Planar<float>> const&, double);
template double power_beyond(std::vector<Planar<double>> const&, double);
template Status keep_in_aperture(std::vector<Planar<float>>&, double);
template Status keep_in_aperture(std::vector<Planar<double>>&, double);

}  // namespace sluice::ptycho

// Patterns and states that the fast step is tested with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "base/splitmix.h"
#include "domain/ptychography/step/fast_step.h"

namespace sluice::ptycho::fast_test {

inline double drawn(std::uint64_t& at) {
    at += splitmix::golden;
    return static_cast<double>(splitmix::mix(at) >> 11) * 0x1p-53;
}

template <class T>
Measured measured_of(index side, bool bad) {
    std::uint64_t at = 11;
    Measured measured;
    measured.patterns.size = side;
    measured.patterns.positions = {{1, 2}, {3.3, 4.2}, {0.4, 6.75}, {7.1, 0}};
    std::vector<T> counts;
    for (index i = 0; i < 4 * side * side; ++i)
        counts.push_back(static_cast<T>(drawn(at) < 0.4 ? 0 : 20 * drawn(at)));
    if (bad) {
        measured.patterns.bad.assign(static_cast<std::size_t>(side * side), 0);
        for (std::size_t i = 0; i < measured.patterns.bad.size(); i += 7)
            measured.patterns.bad[i] = 1;
    }
    for (index j = 0; j < 4; ++j) {
        double sum = 0, squares = 0;
        for (index q = 0; q < side * side; ++q) {
            if (bad && q % 7 == 0) continue;
            auto const v =
                static_cast<double>(counts[static_cast<std::size_t>(j * side * side + q)]);
            sum += v;
            squares += v * v;
        }
        measured.sums.push_back(sum);
        measured.squares.push_back(squares);
    }
    measured.patterns.counts = std::move(counts);
    return measured;
}

template <class A, class B>
double apart(Planar<A> const& a, Planar<B> const& b) {
    double difference = 0, length = 0;
    for (index r = 0; r < a.rows(); ++r)
        for (index c = 0; c < a.cols(); ++c) {
            std::complex<double> const x(a.at(r, c)), y(b.at(r, c));
            difference += std::norm(x - y);
            length += std::norm(y);
        }
    return std::sqrt(difference / length);
}

struct Case {
    index side, modes;
    bool bad, sub_pixel;
    Likelihood likelihood;
    bool background = false;
    index slices = 1;
    bool descan = false;
    index detector = 0;  ///< side of a pattern; 0: the window's
    index bin = 1;

    index pattern() const { return detector ? detector : side; }
};

inline Model model_of(Case const& c) {
    Model model{.window = c.side,
                .detector = c.pattern(),
                .bin = c.bin,
                .likelihood = c.likelihood,
                .sub_pixel = c.sub_pixel};
    model.slices = c.slices;
    model.slice_nm = 2;
    model.wavelength_nm = 0.025;
    model.pixel_nm = 0.1;
    model.tilt_rad = {0.02, -0.03};
    return model;
}

template <class T>
Measured measured_of(Case const& c) {
    return measured_of<T>(c.pattern(), c.bad);
}
/// As the fast step wants it.
inline void order(Model const& model, Measured& measured) {
    if (model.plain_detector()) order_for_passes(measured, 1);
}

inline Wanted wanted_of(Case const& c) {
    return {.position = true,
            .descan = c.descan,
            .slice_and_tilt = true,
            .slopes = c.likelihood == Likelihood::poisson};
}

inline constexpr std::array<stem4d::Position, 4> shifts = {
    {{0.3, -0.4}, {0, 0}, {-1.7, 0.6}, {0, 2.2}}};

// A wave that is wide in the middle, and an object about 1.
template <class Real>
State<Real> state_of(Case const& c, std::vector<stem4d::Position> const& positions,
                     std::uint64_t at = 3) {
    index const side = c.side;
    State<Real> state;
    state.positions = positions;
    if (c.descan) state.descan.assign(shifts.begin(), shifts.end());
    for (index s = 0; s < c.slices; ++s) {
        Planar<Real> object(side + 9, side + 11);
        for (index r = 0; r < object.rows(); ++r)
            for (index c = 0; c < object.cols(); ++c)
                object.set(r, c, std::polar(Real(0.7 + 0.3 * drawn(at)), Real(1.5 * drawn(at))));
        state.object.push_back(std::move(object));
    }
    for (index k = 0; k < c.modes; ++k) {
        Planar<Real> mode(side, side);
        double const width = 0.15 * static_cast<double>(side);
        for (index r = 0; r < side; ++r)
            for (index c = 0; c < side; ++c) {
                double const y = static_cast<double>(r - side / 2) / width;
                double const x = static_cast<double>(c - side / 2 + 3 * k) / width;
                mode.set(r, c,
                         std::polar(Real(3 * std::exp(-(x * x + y * y))),
                                    Real(x * y + 0.3 * drawn(at))));
            }
        state.probe.push_back(std::move(mode));
    }
    return state;
}

template <class Real>
void add_background(Case const& c, State<Real>& state) {
    for (index i = 0; c.background && i < c.pattern() * c.pattern(); ++i)
        state.background.push_back(static_cast<Real>(0.01f * static_cast<float>(i % 97)));
}

}  // namespace sluice::ptycho::fast_test

// What no pattern can tell: mixtures of modes, scales, ramps and translations leave every count as
// it is.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "device/isa.h"
#include "domain/ptychography/step/fast_step.h"

namespace sluice::ptycho {
namespace {

using Complex = std::complex<double>;

constexpr index side = 64, modes = 3, canvas = 90;

// Smooth in no way, and the same on every machine.
Complex drawn(index a, index b, index c) {
    double const t = std::sin(12.9898 * static_cast<double>(a) + 78.233 * static_cast<double>(b) +
                              37.719 * static_cast<double>(c)) *
                     43758.5453;
    double const u = t - std::floor(t);
    return std::polar(0.5 + 0.5 * u, 17 * u);
}

template <class Real>
struct Scene {
    State<Real> state;

    explicit Scene(bool whole_pixels) {
        Planar<Real> object(canvas, canvas);
        for (index r = 0; r < canvas; ++r)
            for (index c = 0; c < canvas; ++c)
                object.set(r, c, static_cast<std::complex<Real>>(drawn(r, c, 9)));
        state.object.push_back(std::move(object));
        for (index k = 0; k < modes; ++k) {
            Planar<Real> mode(side, side);
            // Nothing at the edge, so that a probe that is moved keeps its window.
            for (index r = 8; r < side - 8; ++r)
                for (index c = 8; c < side - 8; ++c)
                    mode.set(r, c, static_cast<std::complex<Real>>(drawn(r, c, k)));
            state.probe.push_back(std::move(mode));
        }
        // A ramp, or another place in the window, moves what the probe has at its highest frequency
        // or its edge to the other side, where parts of a pixel are another move.
        state.positions =
            whole_pixels
                ? std::vector<stem4d::Position>{{3, 4}, {10, 7}, {17, 20}, {5, 21}}
                : std::vector<stem4d::Position>{{3, 4}, {10.25, 7.5}, {17, 20}, {5.6, 21.4}};
    }
};

Measured measured() {
    Measured m{.patterns = {.size = side}};
    std::vector<float> counts;
    for (index j = 0; j < 4; ++j) {
        double sum = 0, squares = 0;
        for (index q = 0; q < side * side; ++q) {
            double const count = std::round(40 * std::abs(drawn(q, j, 5)));
            counts.push_back(static_cast<float>(count));
            sum += count;
            squares += count * count;
        }
        m.sums.push_back(sum);
        m.squares.push_back(squares);
    }
    m.patterns.counts = std::move(counts);
    m.patterns.positions.resize(4);
    return m;
}

struct Seen {
    std::vector<double> counts;  // modelled
    double amplitude = 0, intensity = 0;
};

template <class Real>
Seen look(PatternStep<Real> const& step, State<Real> const& state, bool with_counts) {
    State<Real> with = state;
    if (with_counts) with.background.assign(static_cast<std::size_t>(side * side), 0);
    std::vector<index> const group = {0, 1, 2, 3};
    auto out = reserve(step.model(), with, 4);
    if (with_counts)
        for (auto& one : out) reserve_background(one, with);
    step.gradients(with, group, {}, out, 1);
    Seen seen;
    for (auto const& one : out) {
        seen.counts.insert(seen.counts.end(), one.model.begin(), one.model.end());
        seen.amplitude += one.errors.amplitude;
        seen.intensity += one.errors.difference;
    }
    return seen;
}

void expect_same(Seen const& a, Seen const& b, double tolerance) {
    ASSERT_EQ(a.counts.size(), b.counts.size());
    double apart = 0, all = 0;
    for (std::size_t i = 0; i < a.counts.size(); ++i) {
        apart = std::max(apart, std::abs(a.counts[i] - b.counts[i]));
        all = std::max(all, a.counts[i]);
    }
    EXPECT_LE(apart, tolerance * all);
    EXPECT_NEAR(a.amplitude, b.amplitude, tolerance * a.amplitude);
    EXPECT_NEAR(a.intensity, b.intensity, tolerance * a.intensity);
}

// A unitary matrix: three turns in planes, with phases.
template <class Real>
void mix(std::vector<Planar<Real>>& probe) {
    for (auto const& [i, k, angle, phase] :
         {std::tuple(0, 1, 0.7, 0.4), std::tuple(1, 2, -1.1, 2.0), std::tuple(0, 2, 2.3, -0.9)}) {
        Complex const c = std::cos(angle), s = std::polar(std::sin(angle), phase);
        auto& a = probe[static_cast<std::size_t>(i)];
        auto& b = probe[static_cast<std::size_t>(k)];
        for (index r = 0; r < side; ++r)
            for (index col = 0; col < side; ++col) {
                Complex const x(a.at(r, col)), y(b.at(r, col));
                a.set(r, col, static_cast<std::complex<Real>>(c * x + s * y));
                b.set(r, col, static_cast<std::complex<Real>>(-std::conj(s) * x + c * y));
            }
    }
}

template <class Real>
void scale(Planar<Real>& plane, double by) {
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c) plane.set(r, c, plane.at(r, c) * Real(by));
}

// exp(i kappa r), of one of the window's own frequencies.
template <class Real>
void ramp(Planar<Real>& plane, double sign) {
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c)
            plane.set(
                r, c,
                plane.at(r, c) * static_cast<std::complex<Real>>(std::polar(
                                     1.0, sign * 2 * std::numbers::pi *
                                              static_cast<double>(3 * r - 2 * c) / double{side})));
}

// By one row down, two columns to the right.
template <class Real>
Planar<Real> moved(Planar<Real> const& plane) {
    Planar<Real> to(plane.rows(), plane.cols());
    for (index r = 0; r < plane.rows(); ++r)
        for (index c = 0; c < plane.cols(); ++c)
            to.set((r + 1) % plane.rows(), (c + 2) % plane.cols(), plane.at(r, c));
    return to;
}

template <class Real>
void check(PatternStep<Real> const& step, double tolerance, bool with_counts) {
    Scene<Real> const first(false);
    Seen seen = look(step, first.state, with_counts);
    EXPECT_GT(seen.amplitude, 0);
    auto mixed = first.state;
    mix(mixed.probe);
    ASSERT_GT(std::abs(mixed.probe[0].at(20, 20) - first.state.probe[0].at(20, 20)), 0.01);
    expect_same(seen, look(step, mixed, with_counts), tolerance);
    auto scaled = first.state;
    for (auto& mode : scaled.probe) scale(mode, 1.7);
    scale(scaled.object.front(), 1 / 1.7);
    expect_same(seen, look(step, scaled, with_counts), tolerance);
    Scene<Real> const whole(true);
    seen = look(step, whole.state, with_counts);
    auto ramped = whole.state;
    for (auto& mode : ramped.probe) ramp(mode, 1);
    ramp(ramped.object.front(), -1);
    expect_same(seen, look(step, ramped, with_counts), tolerance);
    auto placed = whole.state;
    for (auto& mode : placed.probe) mode = moved(mode);
    placed.object.front() = moved(placed.object.front());
    expect_same(seen, look(step, placed, with_counts), tolerance);
    // And a change that is not an ambiguity is seen.
    auto other = whole.state;
    for (auto& mode : other.probe) mode = moved(mode);
    EXPECT_GT(std::abs(look(step, other, with_counts).amplitude - seen.amplitude),
              4e-5 * seen.amplitude);
}

Model const model{.window = side, .detector = side};

TEST(Ambiguities, LeaveEveryCountInDouble) {
    auto const counts = measured();
    check(*make_plain_step<double>(model, counts).value(), 1e-12, true);
}

TEST(Ambiguities, LeaveEveryCountInFloat) {
    auto counts = measured();
    check(*make_plain_step<float>(model, counts).value(), 1e-5, true);
    order_for_passes(counts, 1);
    // The fast step has no counts for one pattern without a background; the errors say the same.
    check(*make_fast_step(model, counts, chosen_isa()).value(), 1e-5, false);
}

}  // namespace
}  // namespace sluice::ptycho

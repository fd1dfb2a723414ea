// Each constraint against a closed form, and what a reconstruction with all of them keeps.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "domain/ptychography/constraints/probe_limits.h"
#include "domain/ptychography/constraints/smoothing.h"
#include "domain/ptychography/constraints/total_variation.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using Complex = std::complex<double>;
using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;
using Moduli = PtychographyStage::Moduli;

Planar<double> noisy_edge(index rows, index cols) {
    std::mt19937_64 bits(3);
    auto const next = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53 - 0.5; };
    Planar<double> image(rows, cols);
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            image.set(r, c,
                      Complex(c > cols / 3 ? 1 : 0, r > c ? 0.5 : 0) +
                          Complex(0.4 * next(), 0.4 * next()));
    return image;
}

// |u - f|^2 / 2 + weight TV(u), as it is defined.
double rof_energy(Planar<double> const& u, Planar<double> const& f, double weight) {
    double sum = 0;
    for (index r = 0; r < u.rows(); ++r)
        for (index c = 0; c < u.cols(); ++c) {
            Complex const down = r + 1 < u.rows() ? u.at(r + 1, c) - u.at(r, c) : 0;
            Complex const right = c + 1 < u.cols() ? u.at(r, c + 1) - u.at(r, c) : 0;
            sum += 0.5 * std::norm(u.at(r, c) - f.at(r, c)) +
                   weight * std::sqrt(std::norm(down) + std::norm(right));
        }
    return sum;
}

// Of a straight edge the least energy is known: both sides move towards each other, by the weight
// over their widths, in the direction of the jump.
TEST(TotalVariation, IsTheKnownAnswerOfAnEdge) {
    index const rows = 37, cols = 24, left = 10;
    Complex const jump(1, 0.5);
    double const weight = 0.5;
    std::vector<Planar<double>> image(1, Planar<double>(rows, cols));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            image[0].set(r, c, c < left ? Complex(2, 1) : Complex(2, 1) + jump);
    TotalVariation<double>().apply(image, weight, 4000, 1);
    Complex const way = jump / std::abs(jump);
    for (index r = 0; r < rows; r += 6) {
        for (index c = 0; c < cols; ++c) {
            Complex const known = c < left ? Complex(2, 1) + weight / 10 * way
                                           : Complex(2, 1) + jump - weight / 14 * way;
            EXPECT_NEAR(std::abs(image[0].at(r, c) - known), 0, 2e-3) << r << " " << c;
        }
    }
}

TEST(TotalVariation, LowersTheEnergyStepByStep) {
    Planar<double> const f = noisy_edge(40, 33);
    double before = rof_energy(f, f, 0.1);
    for (index steps : {1, 3, 10, 30, 100}) {
        std::vector<Planar<double>> u{f};
        TotalVariation<double>().apply(u, 0.1, steps, 1);
        double const now = rof_energy(u[0], f, 0.1);
        EXPECT_LT(now, before) << steps;
        before = now;
    }
    // No small change of the last answer has much less.
    EXPECT_LT(before, 0.6 * rof_energy(f, f, 0.1));
}

TEST(TotalVariation, GoesOnFromItsLastCall) {
    Planar<double> const f = noisy_edge(70, 33);
    std::vector<Planar<double>> at_once{f}, parts;
    TotalVariation<double>().apply(at_once, 0.1, 20, 1);
    TotalVariation<double> remembers;
    for (int call = 0; call < 4; ++call) {
        parts = {f};
        remembers.apply(parts, 0.1, 5, 3);
    }
    for (index r = 0; r < f.rows(); ++r)
        for (index c = 0; c < f.cols(); ++c) EXPECT_EQ(at_once[0].at(r, c), parts[0].at(r, c));
}

TEST(Smoothing, MultipliesAWaveByItsFactor) {
    index const rows = 13, cols = 17, k = 3, l = 5;
    double const length = 0.1, pi = std::numbers::pi;
    std::vector<Planar<double>> image(1, Planar<double>(rows, cols));
    auto const wave = [&](index r, index c) {
        return Complex(2, -1) *
               std::cos(pi * static_cast<double>(k) * (static_cast<double>(r) + 0.5) / rows) *
               std::cos(pi * static_cast<double>(l) * (static_cast<double>(c) + 0.5) / cols);
    };
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) image[0].set(r, c, wave(r, c));
    smooth_neighbours(image, length, 2);
    double const factor = 1 - 4 * length *
                                  (std::pow(std::sin(pi * k / (2.0 * rows)), 2) +
                                   std::pow(std::sin(pi * l / (2.0 * cols)), 2));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c)
            EXPECT_NEAR(std::abs(image[0].at(r, c) - factor * wave(r, c)), 0, 1e-12);
}

TEST(Smoothing, BlursAcrossSlices) {
    std::vector<Planar<double>> object(3, Planar<double>(5, 6));
    object[1].set(2, 3, {0, 4});
    for (auto& slice : object) slice.set(0, 0, 7);
    smooth_slices(object, 1, 2);
    double const near = std::exp(-0.5), far = std::exp(-2.0);
    EXPECT_NEAR(object[0].at(2, 3).imag(), 4 * near / (1 + near + far), 1e-12);
    EXPECT_NEAR(object[1].at(2, 3).imag(), 4 / (1 + 2 * near), 1e-12);
    EXPECT_NEAR(object[2].at(2, 3).imag(), 4 * near / (1 + near + far), 1e-12);
    for (auto const& slice : object) {
        EXPECT_NEAR(slice.at(0, 0).real(), 7, 1e-12);
        EXPECT_EQ(slice.at(4, 4), Complex());
    }
}

TEST(ProbeLimits, AreTheCurvesTheyName) {
    index const n = 20;
    std::vector<Planar<double>> probe(2, Planar<double>(n, n));
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) probe[1].set(r, c, {1, 2});
    keep_in_window(probe, 0.3, 0.2);
    EXPECT_EQ(probe[1].at(10, 10), Complex(1, 2));
    EXPECT_EQ(probe[1].at(16, 10), Complex(1, 2));
    EXPECT_NEAR(std::abs(probe[1].at(17, 10) - 0.6 * Complex(1, 2)), 0, 1e-12);
    EXPECT_NEAR(std::abs(probe[1].at(10, 2) - 0.2 * Complex(1, 2)), 0, 1e-12);
    EXPECT_NEAR(std::abs(probe[1].at(0, 0) - 0.2 * Complex(1, 2)), 0, 1e-12);
    // Waves of 3, 5 and 6 pixels of the spectrum, of which the second lies on the edge.
    double const pi = std::numbers::pi;
    auto const wave = [&](index k, index c) {
        return std::polar(1.0, 2 * pi * static_cast<double>(k * c) / n);
    };
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            probe[0].set(r, c, wave(3, c) + wave(-5, r) + wave(6, c) + wave(4, r) * wave(4, c));
    ASSERT_TRUE(keep_in_aperture(probe, 5));
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            EXPECT_NEAR(std::abs(probe[0].at(r, c) - wave(3, c) - 0.5 * wave(-5, r)), 0, 1e-12);
}

// However often: what lies within keeps its bits.
TEST(ProbeLimits, DoNotCompoundWithin) {
    index const n = 32;
    std::vector<Planar<double>> probe(1, Planar<double>(n, n));
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) probe[0].set(r, c, {0.1, 0.3});
    EXPECT_NEAR(power_beyond(probe, 0.25), 1 - std::numbers::pi / 16, 0.01);
    for (int i = 0; i < 100; ++i) keep_in_window(probe, 0.25, 0);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            double const away =
                std::hypot(static_cast<double>(r - 16), static_cast<double>(c - 16));
            if (away <= 8) {
                EXPECT_EQ(probe[0].at(r, c), Complex(0.1, 0.3)) << r << " " << c;
            } else if (away >= 11.2) {
                EXPECT_EQ(probe[0].at(r, c), Complex()) << r << " " << c;
            }
        }
    EXPECT_LT(power_beyond(probe, 0.25), 0.1);
}

double beyond(Array<std::complex<float>> const& probe) {
    index const n = probe.shape[1];
    std::vector<Planar<float>> planes(1, Planar<float>(n, n));
    for (index i = 0; i < n * n; ++i)
        planes[0].set(i / n, i % n, probe.values[static_cast<std::size_t>(i)]);
    return power_beyond(planes, 0.45);
}

bool says_it_fills(stem4d::PtychographyResult const& result) {
    return std::ranges::any_of(result.notes, [](std::string const& note) {
        return note.find("nothing fades it there") != std::string::npos;
    });
}

// Few counts leave noise in the window's corners, where the probe is dark.
TEST(ProbeSupport, TakesAwayNoiseInTheCorners) {
    Truth const truth = simulate(32, 6, 3, 300, true);
    PtychographyOptions options;
    options.margin = 2;
    options.probe = truth.probe_as_given();
    options.stages[0].iterations = 60;
    auto const usual = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].probe_support = 1;
    auto const free = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(beyond(free.probe), 0.002);
    EXPECT_LT(beyond(usual.probe), 0.85 * beyond(free.probe));
    EXPECT_LT(usual.rounds.back().r, 1.005 * free.rounds.back().r);
    EXPECT_FALSE(says_it_fills(usual));
}

// A probe that fills its window keeps all its bits, and a note says so; where a support is given,
// it holds.
TEST(ProbeSupport, CutsNoWideProbeUnasked) {
    auto const wide = [](index, double y, double x) {
        double const square = y * y + x * x;
        return std::polar(std::exp(0.014 * square), 0.02 * square);
    };
    Truth const truth = simulate(32, 5, 4, 1e5, true, {.probe = wide});
    PtychographyOptions options;
    for (index i = 0; i < 32 * 32; ++i)
        options.probe.push_back(static_cast<std::complex<float>>(
            truth.probe[static_cast<std::size_t>(i)] *
            wide(0, static_cast<double>(i / 32 - 16), static_cast<double>(i % 32 - 16))));
    options.stages[0].iterations = 5;
    options.stages[0].likelihood = stem4d::Likelihood::amplitude;
    auto const usual = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(beyond(usual.probe), 0.05);
    EXPECT_TRUE(says_it_fills(usual));
    options.stages[0].probe_support = 1;
    auto const free = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(usual.probe.values, free.probe.values);
    EXPECT_FALSE(says_it_fills(free));
    options.stages[0].probe_support = 0.4;
    auto const given = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_LT(beyond(given.probe), 0.03);
    EXPECT_FALSE(says_it_fills(given));
}

PtychographyOptions with_all(index iterations) {
    PtychographyStage stage;
    stage.iterations = iterations;
    stage.group = 9;
    stage.tv_weight = 0.002;
    stage.tikhonov = 0.01;
    stage.slice_blur = 0.5;
    stage.object_support = 0.02;
    stage.moduli = Moduli::one;
    stage.positive_phase = 0.05;
    stage.probe_support = 0.35;
    stage.probe_aperture_mrad = 40;
    PtychographyOptions options;
    options.stages = {stage};
    options.margin = 4;
    options.slices = 2;
    options.slice_nm = 0.1;
    return options;
}

Truth known() {
    Truth truth = simulate(32, 5, 5, 1e5, true);
    truth.patterns.wavelength_nm = 0.002;
    truth.patterns.pixel_nm = 0.02;
    return truth;
}

TEST(Constraints, LeaveWhatIsFixedAsItIs) {
    Truth const truth = known();
    auto options = with_all(3);
    options.probe = truth.probe_as_given();
    options.stages[0].fix_probe = true;
    options.device = Device::reference();
    auto const kept_probe = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(kept_probe.probe.values, options.probe);
    EXPECT_NE(kept_probe.object.values[5000], (std::complex<float>(1)));
    options.stages[0].fix_probe = false;
    options.stages[0].fix_object = true;
    auto const kept_object = stem4d::ptychography(truth.patterns, options).value();
    for (auto const& z : kept_object.object.values) EXPECT_EQ(z, (std::complex<float>(1)));
    EXPECT_NE(kept_object.probe.values, options.probe);
}

TEST(Constraints, HaveTheSameBitsForAnyThreads) {
    Truth const truth = known();
    auto options = with_all(3);
    options.modes = 2;
    options.device = Device::cpu(1);
    auto const one = stem4d::ptychography(truth.patterns, options).value();
    options.device = Device::cpu(3);
    auto const three = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_EQ(one.object.values, three.object.values);
    EXPECT_EQ(one.probe.values, three.probe.values);
    options.device = Device::reference();
    auto const twin = stem4d::ptychography(truth.patterns, options).value();
    for (std::size_t i = 0; i < twin.rounds.size(); ++i)
        EXPECT_NEAR(one.rounds[i].r, twin.rounds[i].r, 1e-4) << i;
}

TEST(Constraints, HoldInTheAnswer) {
    Truth const truth = simulate(32, 6, 5, 1e5, true);
    PtychographyOptions options;
    options.margin = 6;
    options.probe = truth.probe_as_given();
    options.stages[0].iterations = 8;
    options.stages[0].object_support = 0.01;
    options.stages[0].moduli = Moduli::one;
    options.stages[0].positive_phase = 0.02;
    auto const pure = stem4d::ptychography(truth.patterns, options).value();
    index ones = 0, zero_phases = 0;
    for (auto const& z : pure.object.values) {
        EXPECT_NEAR(std::abs(z), 1, 1e-6);
        EXPECT_GT(std::arg(z), -1e-5);
        ones += z == std::complex<float>(1);
        zero_phases += std::arg(z) < 1e-5f;
    }
    EXPECT_GT(ones, std::ssize(pure.object.values) / 10);
    EXPECT_GT(zero_phases, ones);
    options.stages[0].moduli = Moduli::at_most_one;
    auto const bounded = stem4d::ptychography(truth.patterns, options).value();
    index below = 0;
    for (auto const& z : bounded.object.values) {
        EXPECT_LT(std::abs(z), 1 + 1e-6);
        below += std::abs(z) < 0.95f;
    }
    EXPECT_GT(below, 500);
    EXPECT_TRUE(std::ranges::any_of(bounded.notes, [](std::string const& note) {
        return note.find("power is free") != std::string::npos;
    }));
}

// An object of flat parts is found better: the edges hold what no pattern shows.
TEST(Constraints, TotalVariationFindsABetterObjectOfFlatParts) {
    Truth const truth = simulate(
        32, 6, 4, 1e6, true, {.object = [](double y, double x) {
            return std::polar(1.0, std::fmod(std::floor(x / 11) + std::floor(y / 13), 2) * 0.6);
        }});
    PtychographyOptions options;
    options.margin = 4;
    options.probe = truth.probe_as_given();
    options.stages[0].iterations = 25;
    options.stages[0].likelihood = stem4d::Likelihood::amplitude;
    options.stages[0].group = 10;
    options.stages[0].fix_probe = true;
    auto const plain = stem4d::ptychography(truth.patterns, options).value();
    options.stages[0].tv_weight = 0.01;
    auto const flat = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_GT(phase_error(plain, truth), 0.02);
    EXPECT_LT(phase_error(flat, truth), 0.4 * phase_error(plain, truth));
}

TEST(Constraints, RefuseWhatCannotBe) {
    Truth const truth = known();
    auto const refused = [&](auto const& change, char const* word) {
        auto options = with_all(1);
        change(options.stages[0]);
        auto const result = stem4d::ptychography(truth.patterns, options);
        ASSERT_FALSE(result.has_value()) << word;
        EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
    };
    refused([](auto& s) { s.tv_weight = NAN; }, "tv_weight is nan");
    refused([](auto& s) { s.tv_every = 0; }, "tv_every");
    refused([](auto& s) { s.tikhonov = 0.2; }, "tikhonov is 0.2");
    refused([](auto& s) { s.object_support = -1; }, "object_support");
    refused([](auto& s) { s.positive_phase = 0.6; }, "positive_phase");
    refused([](auto& s) { s.probe_support = 0.001; }, "probe_support");
    refused([](auto& s) { s.probe_aperture_mrad = 60; }, "patterns reach 50 mrad");
}

}  // namespace
}  // namespace sluice::ptycho

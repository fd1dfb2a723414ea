// The likelihood that is fitted: weak phases are as high as they are, and it is told which it was.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/test_deep.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::Likelihood;
using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using S = stem4d::PtychographyStage::Solver;

// Atoms of 0.3 rad, whose waves go far beyond the probe's spectrum: few counts are there.
std::complex<double> atoms(double y, double x) {
    double const r = std::remainder(y, 7.0), c = std::remainder(x, 7.0);
    return std::polar(1.0, 0.3 * std::exp(-(r * r + c * c) / 3));
}

constexpr index side = 32;

// A round aperture out of focus, in the middle of the window; of power 1.
std::vector<std::complex<double>> aperture() {
    constexpr index radius = 6;
    std::vector<std::complex<double>> wave;
    double power = 0;
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) {
            std::complex<double> sum{};
            for (index k = -radius; k <= radius; ++k)
                for (index l = -radius; l <= radius; ++l) {
                    auto const square = static_cast<double>(k * k + l * l);
                    double const turns =
                        static_cast<double>(k * (r - side / 2) + l * (c - side / 2)) / side;
                    if (k * k + l * l <= radius * radius)
                        sum += std::polar(1.0, 2 * std::numbers::pi * turns - 0.06 * square);
                }
            wave.push_back(sum);
            power += std::norm(sum);
        }
    for (auto& z : wave) z /= std::sqrt(power);
    return wave;
}

Truth weak_phase(double counts) {
    auto const wanted = aperture();
    auto const pixel = [](double y, double x) {
        return static_cast<std::size_t>((y + side / 2) * side + x + side / 2);
    };
    // The simulation has a probe of its own, and multiplies it.
    auto const own = simulate(side, 2, 5, 1, false).probe;
    Truth truth = simulate({.side = side,
                            .places = 14,
                            .step = 3,
                            .counts = 1,
                            .wish = {.object = atoms, .probe = [&](index, double y, double x) {
                                         auto const q = pixel(y, x);
                                         return std::sqrt(counts) * wanted[q] / own[q];
                                     }}});
    truth.probe = wanted;
    std::mt19937_64 bits(5);
    for (auto& value : std::get<std::vector<float>>(truth.patterns.counts))
        value =
            static_cast<float>(std::poisson_distribution<long>(static_cast<double>(value))(bits));
    return truth;
}

PtychographyResult run(Truth const& truth, S solver = S::lsqml, index iterations = 20,
                       Likelihood likelihood = Likelihood::automatic) {
    PtychographyOptions options;
    options.stages[0].solver = solver;
    options.stages[0].iterations = iterations;
    options.stages[0].likelihood = likelihood;
    options.margin = 4;
    options.probe = truth.probe_as_given();
    return stem4d::ptychography(truth.patterns, options).value();
}

bool says(PtychographyResult const& result, char const* words) {
    return std::ranges::any_of(
        result.notes, [&](auto const& note) { return note.find(words) != std::string::npos; });
}

TEST(Likelihood, WeakPhasesAreNotTooLow) {
    for (double counts : {1e4, 1e5}) {
        Truth const truth = weak_phase(counts);
        auto const usual = run(truth);
        // Of 196 patterns of 1e4 counts noise takes some of it.
        EXPECT_NEAR(phase_slope(usual, truth), 1, counts < 1e5 ? 0.09 : 0.04) << counts;
        EXPECT_EQ(usual.likelihoods, std::vector{Likelihood::poisson});
        EXPECT_FALSE(says(usual, "too low"));
        auto const amplitudes = run(truth, S::lsqml, 20, Likelihood::amplitude);
        EXPECT_LT(phase_slope(amplitudes, truth), 0.93) << counts;
        EXPECT_TRUE(says(amplitudes, "too low")) << counts;
        EXPECT_EQ(amplitudes.likelihoods, std::vector{Likelihood::amplitude});
    }
}

TEST(Likelihood, OfSolversThatKnowAmplitudesOnly) {
    Truth const truth = weak_phase(1e4);
    auto const found = run(truth, S::epie, 2, Likelihood::poisson);
    EXPECT_EQ(found.likelihoods, std::vector{Likelihood::amplitude});
    EXPECT_TRUE(says(found, "end with a stage of lsqml"));
    EXPECT_FALSE(says(run(simulate(32, 7, 5, 1e8, true), S::epie, 2), "too low"));
}

void scale(Patterns& patterns, double by, double more = 0) {
    for (auto& value : std::get<std::vector<float>>(patterns.counts))
        value = static_cast<float>(static_cast<double>(value) * by + more);
}

TEST(Likelihood, IsThatOfAmplitudesWhereValuesAreNoCounts) {
    Truth truth = weak_phase(1e4);
    scale(truth.patterns, 1, 0.371);
    auto const found = run(truth, S::lsqml, 2);
    EXPECT_EQ(found.likelihoods, std::vector{Likelihood::amplitude});
    EXPECT_TRUE(says(found, "neither whole numbers nor whole multiples"));
    EXPECT_EQ(run(truth, S::lsqml, 2, Likelihood::poisson).likelihoods,
              std::vector{Likelihood::poisson});
}

// Counts times a gain are counts: the answer is the same, but for the probe's power.
TEST(Likelihood, KnowsCountsTimesAGain) {
    Truth truth = weak_phase(1e4);
    auto const counts = run(truth);
    for (double gain : {0.37, 25.0}) {
        Truth scaled = truth;
        scale(scaled.patterns, gain);
        auto const found = run(scaled);
        EXPECT_EQ(found.likelihoods, std::vector{Likelihood::poisson}) << gain;
        EXPECT_TRUE(says(found, "counts times that gain")) << gain;
        EXPECT_NEAR(phase_slope(found, truth), phase_slope(counts, truth), 0.01) << gain;
        EXPECT_NEAR(found.floor / counts.floor, 1, 0.01) << gain;
    }
}

// Neither few counts nor many, neither large groups nor small ones, through any slices and modes.
// Floats have 24 bits: each is a multiple of what is a billion times as small.
TEST(Likelihood, TakesNoSpeckOfRoundingForACount) {
    Truth truth = simulate({.side = 32, .places = 5, .step = 4, .counts = 1});
    auto& values = std::get<std::vector<float>>(truth.patterns.counts);
    values[5] = 1e-25F;
    auto const found = run(truth, S::lsqml, 1);
    EXPECT_EQ(found.likelihoods, std::vector{Likelihood::amplitude});
    EXPECT_FALSE(says(found, "that gain"));
}

TEST(Likelihood, OfPoissonDoesNotBlowUp) {
    for (double counts : {1e3, 1e5, 1e7})
        for (index slices : {1, 2, 4}) {
            Simulation s{.side = 32, .places = 7, .step = 4, .counts = counts, .noise = true};
            s.slices = std::min<index>(slices, 2);
            s.slice_nm = slices > 2 ? 6 : 18;
            s.wavelength_nm = 0.00418;
            s.pixel_nm = 0.06;
            Truth const truth = simulate(s);
            for (index group : {4, 10, 49})
                for (index modes : {1, 4}) {
                    bool const extreme = counts != 1e5 && slices != 2 && group != 10;
                    if (!extreme && !deep_tests()) continue;
                    PtychographyOptions options;
                    options.stages[0].iterations = 15;
                    options.stages[0].group = group;
                    options.modes = modes;
                    options.slices = slices;
                    options.slice_nm = slices > 1 ? s.slice_nm : 0;
                    options.probe = truth.probe_as_given();
                    options.restore_best = false;
                    auto const found = stem4d::ptychography(truth.patterns, options).value();
                    double const first = found.rounds.front().r;
                    for (auto const& round : found.rounds)
                        EXPECT_LT(round.r, 1.3 * first)
                            << counts << " " << slices << " " << group << " " << modes;
                    EXPECT_LT(found.rounds.back().r, std::max(0.7 * first, 1.1 * found.floor))
                        << counts << " " << slices << " " << group << " " << modes;
                }
        }
}

}  // namespace
}  // namespace sluice::ptycho

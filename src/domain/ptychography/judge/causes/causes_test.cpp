// Causes of misfits: each fault is named by its own cause, and right runs name none.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/judge/causes/causes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/test_deep.h"
#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {
namespace {

using stem4d::Judgement;
using stem4d::Likelihood;
using stem4d::Position;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
constexpr double pi = std::numbers::pi;

// Blobs of many sizes at places of their own.
std::complex<double> blobs(double y, double x) {
    static std::vector<std::array<double, 4>> const all = [] {
        std::mt19937_64 bits(3);
        auto const draw = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
        };
        std::vector<std::array<double, 4>> made;
        for (int i = 0; i < 130; ++i)
            made.push_back({draw(0, 90), draw(0, 90), draw(1.2, 3.5), draw(0.2, 0.7)});
        return made;
    }();
    double phase = 0;
    for (auto const& [row, col, wide, high] : all)
        phase +=
            high * std::exp(-0.5 * ((y - row) * (y - row) + (x - col) * (x - col)) / (wide * wide));
    return std::polar(std::exp(-0.05 * phase), phase);
}

Truth scan(double counts) {
    return simulate({.side = 32,
                     .places = 12,
                     .step = 4,
                     .counts = counts,
                     .noise = true,
                     .wish = {.object = blobs}});
}

PtychographyOptions usual(Truth const& truth, Likelihood likelihood) {
    PtychographyOptions options;
    options.stages[0].iterations = 20;
    options.stages[0].group = 12;
    options.stages[0].likelihood = likelihood;
    options.probe = truth.probe_as_given();
    return options;
}

Judgement misfit_of(stem4d::Patterns const& patterns, PtychographyOptions const& options) {
    auto result = stem4d::ptychography(patterns, options).value();
    EXPECT_TRUE(stem4d::explain_misfit(result, patterns, options).has_value());
    auto const misfit = std::ranges::find(result.findings, "misfit", &Judgement::name);
    EXPECT_NE(misfit, result.findings.end());
    bool noted = false;
    for (auto const& note : result.notes)
        noted = noted || (note.starts_with("misfit (") && note.find(misfit->advice) != note.npos);
    EXPECT_EQ(noted, misfit->found);
    return *misfit;
}

void turn(std::vector<Position>& positions, std::array<double, 4> const& m) {
    for (auto& p : positions) p = {m[0] * p.row + m[1] * p.col, m[2] * p.row + m[3] * p.col};
}

class Causes : public testing::TestWithParam<Likelihood> {};

TEST_P(Causes, RotationsAndExchangesAreNamed) {
    Truth const truth = scan(1e5);
    auto const options = usual(truth, GetParam());
    double const c = std::cos(pi / 6), s = std::sin(pi / 6);
    bool const amplitude = GetParam() == Likelihood::amplitude;
    struct Case {
        char const* name;
        std::array<double, 4> forgotten;
        bool of_amplitudes;  // which likelihood tries it where not all cases are tried
    };
    for (auto const& [name, m, of_amplitudes] :
         {Case{"rotation", {c, -s, s, c}, true}, Case{"transpose", {0, 1, 1, 0}, true},
          Case{"rotation", {0, -1, 1, 0}, false}, Case{"transpose", {s, c, c, -s}, false}}) {
        if (!deep_tests() && of_amplitudes != amplitude) continue;
        auto patterns = truth.patterns;
        turn(patterns.positions, {m[0], m[2], m[1], m[3]});  // its inverse
        Judgement const misfit = misfit_of(patterns, options);
        ASSERT_TRUE(misfit.found) << misfit.value;
        EXPECT_EQ(misfit.cause, name) << misfit.advice;
        ASSERT_FALSE(misfit.tried.empty());
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(misfit.tried.front().turn[i], m[i], 0.1) << misfit.advice;
    }
}

TEST_P(Causes, WrongProbesAreNamed) {
    Truth const truth = scan(1e5);
    auto options = usual(truth, GetParam());
    for (auto& z : options.probe) z = std::conj(z);  // its aberrations' sign
    EXPECT_EQ(misfit_of(truth.patterns, options).cause, "defocus sign");
    options.probe.clear();
    Judgement const misfit = misfit_of(truth.patterns, options);
    EXPECT_EQ(misfit.cause, "probe") << misfit.value << misfit.advice;
}

TEST_P(Causes, UnitsAreNamed) {
    Truth truth = scan(1e5);
    truth.patterns.pixel_nm = 0.04;
    truth.patterns.wavelength_nm = 0.004;
    turn(truth.patterns.positions, {0.04, 0, 0, 0.04});
    Judgement const misfit = misfit_of(truth.patterns, usual(truth, GetParam()));
    EXPECT_EQ(misfit.cause, "unit of positions");
    EXPECT_NE(misfit.advice.find("multiply the positions by 25 (they look like nm"),
              std::string::npos)
        << misfit.advice;
}

TEST_P(Causes, RightRunsNameNone) {
    for (double counts : {1e4, 1e6})
        for (index iterations : {3, 30}) {
            Truth const truth = scan(counts);
            auto options = usual(truth, GetParam());
            options.stages[0].iterations = iterations;
            Judgement const misfit = misfit_of(truth.patterns, options);
            EXPECT_TRUE(!misfit.found || misfit.cause == "still falling" ||
                        misfit.cause == "unexplained")
                << counts << " " << iterations << misfit.advice;
        }
}

INSTANTIATE_TEST_SUITE_P(All, Causes, testing::Values(Likelihood::amplitude, Likelihood::poisson),
                         [](auto const& info) {
                             return info.param == Likelihood::poisson ? "poisson" : "amplitude";
                         });

TEST(CausesOfMisfits, AreTheSameForAnyThreadsAndStop) {
    Truth const truth = scan(1e5);
    auto options = usual(truth, Likelihood::amplitude);
    auto patterns = truth.patterns;
    turn(patterns.positions, {0, 1, 1, 0});
    std::vector<Judgement> found;
    for (int threads : {1, 3}) {
        options.device = Device::cpu(threads);
        found.push_back(misfit_of(patterns, options));
    }
    EXPECT_EQ(found[0].tried_r, found[1].tried_r);
    ASSERT_EQ(found[0].tried.size(), found[1].tried.size());
    for (std::size_t i = 0; i < found[0].tried.size(); ++i)
        EXPECT_EQ(found[0].tried[i].r, found[1].tried[i].r);
    auto result = stem4d::ptychography(patterns, options).value();
    auto const notes = result.notes;
    options.progress = [](std::uint64_t done, std::uint64_t) { return done < 3; };
    auto const stopped = stem4d::explain_misfit(result, patterns, options);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(result.notes, notes);
}

// A turn of a near field by 180 degrees is not that of a defocus, also where no probe is given.
TEST(CausesOfMisfits, OfNearFieldsHaveNoTwins) {
    Truth const truth = simulate({.side = 32, .places = 4, .step = 4});
    for (bool const given : {true, false}) {
        PtychographyOptions options;
        options.propagation = stem4d::Propagation::near;
        if (given) options.probe = truth.probe_as_given();
        auto const causes = other_orientations(truth.patterns, options);
        EXPECT_EQ(causes.size(), 7U);
        auto const turned = std::ranges::find_if(causes, [](Cause const& cause) {
            return cause.tried.turn == std::array<double, 4>{-1, 0, 0, -1};
        });
        ASSERT_NE(turned, causes.end());
        EXPECT_EQ(turned->tried.name, "rotation");
        EXPECT_TRUE(other_probes(truth.patterns, options).empty());
    }
}

TEST(CausesOfMisfits, WantPatterns) {
    EXPECT_FALSE(stem4d::part_to_try({}, {}));
    EXPECT_FALSE(stem4d::part_to_try({.size = 32}, {}));
}

// R of the first iterations tells little, and trials would take more time than they did.
TEST(CausesOfMisfits, AreNotTriedAfterFewIterations) {
    Truth const truth = scan(1e6);
    auto patterns = truth.patterns;
    turn(patterns.positions, {0, 1, 1, 0});
    PtychographyOptions options;
    options.probe = truth.probe_as_given();
    options.stages = {{.iterations = 2}};
    auto result = stem4d::ptychography(patterns, options).value();
    ASSERT_TRUE(stem4d::explain_misfit(result, patterns, options));
    auto const misfit = std::ranges::find(result.findings, "misfit", &stem4d::Judgement::name);
    ASSERT_TRUE(misfit != result.findings.end() && misfit->found);
    EXPECT_EQ(misfit->cause, "still falling");
    EXPECT_TRUE(misfit->tried.empty());
}

TEST(CausesOfMisfits, AreTriedOnNeighbours) {
    Truth const truth = scan(1e3);
    auto const part = stem4d::part_to_try(truth.patterns, {}).value();
    EXPECT_EQ(part.count(), 100);
    EXPECT_EQ(part_to_try(part, {}).value().count(), 100);
    Trial const trial = trial_of(part).value();
    EXPECT_EQ(trial.seen.count() + trial.held_out.count(), 100);
    EXPECT_GE(trial.held_out.count(), 15);
}

TEST(CausesOfMisfits, CurlFindsTheRotation) {
    Truth const truth = scan(1e6);
    for (double degrees : {0.0, 20.0, -70.0})
        for (bool exchanged : {false, true}) {
            auto patterns = truth.patterns;
            double const c = std::cos(degrees * pi / 180), s = std::sin(degrees * pi / 180);
            std::array<double, 4> const m =
                exchanged ? std::array{-s, c, c, s} : std::array{c, -s, s, c};
            turn(patterns.positions, {m[0], m[2], m[1], m[3]});
            auto const turns = turns_without_curl(patterns);
            ASSERT_EQ(turns.size(), 4u);
            double least = 1;
            for (auto const& t : turns)
                least = std::min(least, std::hypot(t[0] - m[0], t[2] - m[2]));
            EXPECT_LT(least, 0.05) << degrees << exchanged;
        }
}

}  // namespace
}  // namespace sluice::ptycho

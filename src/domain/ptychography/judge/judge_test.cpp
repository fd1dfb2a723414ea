// The detectors of artefacts: each finds its own failure, and nothing in what is good. Thresholds
// were set on other objects (docs/design/023-ptychography.md).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_judge.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyResult;
using Phase = std::function<double(double row, double col)>;
constexpr double pi = std::numbers::pi;

constexpr double step = 7.3;

// A result as a raster scan of 14 x 14 gives it: the phase and some noise, under a round probe.
PtychographyResult result_of(Phase const& phase, double turn = 0, double noise = 0.04) {
    PtychographyResult result;
    double low[2] = {}, high[2] = {};
    for (int i = 0; i < 14; ++i)
        for (int k = 0; k < 14; ++k) {
            double const y = i * step, x = k * step;
            double const p[] = {std::cos(turn) * y - std::sin(turn) * x,
                                std::sin(turn) * y + std::cos(turn) * x};
            for (int d : {0, 1}) low[d] = std::min(low[d], p[d]), high[d] = std::max(high[d], p[d]);
            result.positions.push_back({p[0], p[1]});
        }
    for (auto& p : result.positions) p = {p.row - low[0] + 5, p.col - low[1] + 5};
    index const rows = static_cast<index>(high[0] - low[0]) + 75;
    index const cols = static_cast<index>(high[1] - low[1]) + 75;
    result.object = Array<std::complex<float>>::zeros({1, rows, cols});
    std::mt19937_64 bits(42);
    std::normal_distribution<double> draw(0, noise);
    for (index i = 0; i < rows * cols; ++i)
        result.object.values[static_cast<std::size_t>(i)] =
            static_cast<std::complex<float>>(std::polar(
                1 + draw(bits),
                phase(static_cast<double>(i / cols), static_cast<double>(i % cols)) + draw(bits)));
    result.probe = Array<std::complex<float>>::zeros({1, 64, 64});
    for (index i = 0; i < 64 * 64; ++i) {
        double const y = static_cast<double>(i / 64 - 32), x = static_cast<double>(i % 64 - 32);
        result.probe.values[static_cast<std::size_t>(i)] =
            static_cast<float>(std::exp(-(y * y + x * x) / 128));
    }
    result.rounds.push_back({.stage = 0, .r = 0.1, .r_intensity = 0.1, .loss = 1, .seconds = 1});
    result.floor = 0.095;
    result.probe_power = 1;
    return result;
}

// Disks of several sizes and phases.
double disks(double row, double col) {
    std::mt19937_64 bits(11);
    std::uniform_real_distribution<double> draw(0, 1);
    double sum = 0;
    for (int i = 0; i < 40; ++i) {
        double const y = 190 * draw(bits), x = 190 * draw(bits), radius = 4 + 9 * draw(bits);
        double const away = std::hypot(row - y, col - x) - radius;
        sum += 0.25 * draw(bits) * (0.5 - 0.5 * std::tanh(away));
    }
    return sum;
}

// Many waves of any direction, weaker the finer they are.
double clouds(double row, double col) {
    std::mt19937_64 bits(29);
    std::uniform_real_distribution<double> draw(0, 1);
    double sum = 0;
    for (int i = 0; i < 60; ++i) {
        double const f = 0.25 * draw(bits) * draw(bits) + 0.01, a = 2 * pi * draw(bits);
        sum += 0.002 / f *
               std::sin(2 * pi * f * (std::cos(a) * row + std::sin(a) * col) + 2 * pi * draw(bits));
    }
    return sum;
}

// Atoms on a lattice of its own.
double lattice(double row, double col) {
    double const y = (0.93 * row - 0.37 * col) / 5.9, x = (0.37 * row + 0.93 * col) / 5.1;
    double const dy = y - std::round(y), dx = x - std::round(x);
    return 0.4 * std::exp(-(dy * dy + dx * dx) * 25);
}

std::string found_in(PtychographyResult const& result) {
    std::string names;
    auto const findings = stem4d::judge(result);
    if (!findings) return findings.error().message;
    for (auto const& finding : *findings) {
        EXPECT_FALSE(finding.advice.empty());
        if (finding.found) names += finding.name + ";";
    }
    return names;
}

Phase sum_of(Phase const& a, Phase const& b) {
    return [=](double row, double col) { return a(row, col) + b(row, col); };
}

struct Thing {
    char const* name;
    double (*phase)(double, double);
};
class JudgeTest : public testing::TestWithParam<Thing> {};

TEST_P(JudgeTest, FindsNothingInWhatIsGood) {
    for (double turn : {0.0, 0.4})
        for (double noise : {0.01, 0.1})
            EXPECT_EQ(found_in(result_of(GetParam().phase, turn, noise)), "") << turn << noise;
}

TEST_P(JudgeTest, FindsTheGridOfTheScan) {
    for (double turn : {0.0, 0.4}) {
        auto const grid = [=](double row, double col) {
            double const y = std::cos(turn) * row + std::sin(turn) * col;
            double const x = std::cos(turn) * col - std::sin(turn) * row;
            return 0.06 * (std::cos(2 * pi * y / step) + std::cos(2 * pi * x / step));
        };
        EXPECT_EQ(found_in(result_of(sum_of(GetParam().phase, grid), turn)), "scan grid;") << turn;
    }
}

TEST_P(JudgeTest, FindsACheckerboard) {
    auto const board = [](double row, double col) {
        return std::fmod(row + col, 2) < 1 ? 0.04 : -0.04;
    };
    EXPECT_EQ(found_in(result_of(sum_of(GetParam().phase, board))), "checkerboard;");
}

TEST_P(JudgeTest, FindsRings) {
    // Noise of one fineness, in all directions.
    std::mt19937_64 bits(77);
    std::uniform_real_distribution<double> draw(0, 1);
    std::vector<std::array<double, 3>> waves;
    for (int i = 0; i < 300; ++i) {
        double const a = 2 * pi * draw(bits), f = 2 * pi * (0.3 + 0.015 * draw(bits));
        waves.push_back({f * std::cos(a), f * std::sin(a), 2 * pi * draw(bits)});
    }
    auto const rings = [&](double row, double col) {
        double sum = 0;
        for (auto const& w : waves) sum += std::sin(w[0] * row + w[1] * col + w[2]);
        return 0.1 * sum / std::sqrt(150.0);
    };
    EXPECT_EQ(found_in(result_of(sum_of(GetParam().phase, rings))), "ringing;");
}

TEST_P(JudgeTest, FindsStreaksAlongTheScan) {
    for (double turn : {0.0, 0.4}) {
        std::mt19937_64 bits(5);
        std::normal_distribution<double> draw(0, 0.1);
        std::vector<double> offsets(300);
        for (double& v : offsets) v = draw(bits);
        // The columns run fastest: a line of the scan is a row.
        auto const streaks = [&](double row, double col) {
            double const y = std::cos(turn) * row + std::sin(turn) * col;
            return offsets[static_cast<std::size_t>(y / 3 + 100)];
        };
        EXPECT_EQ(found_in(result_of(sum_of(GetParam().phase, streaks), turn)), "streaks;") << turn;
    }
}

TEST_P(JudgeTest, FindsWrapsAndWhatIsFlat) {
    auto const phase = GetParam().phase;
    auto const many_turns = [=](double row, double col) {
        return 40 * phase(row, col) + 6 * std::sin(0.07 * row) + 6 * std::cos(0.06 * col);
    };
    EXPECT_NE(found_in(result_of(many_turns)).find("phase wraps;"), std::string::npos);
    auto const flat = [=](double row, double col) { return 0.01 * phase(row, col); };
    EXPECT_EQ(found_in(result_of(flat, 0, 0.005)), "low contrast;");
}

INSTANTIATE_TEST_SUITE_P(All, JudgeTest,
                         testing::Values(Thing{"disks", disks}, Thing{"clouds", clouds},
                                         Thing{"lattice", lattice}),
                         [](auto const& info) { return info.param.name; });

TEST(Judge, LooksAtTheProbe) {
    auto const good = result_of(clouds);
    auto moved = good;
    moved.probe_moved = {3, -3.1};
    EXPECT_EQ(found_in(moved), "probe drift;");
    auto wide = good;
    for (auto& z : wide.probe.values) z += 0.15F;
    EXPECT_EQ(found_in(wide), "probe edge;");
    auto gone = good;
    gone.probe_power = 0.05;
    EXPECT_EQ(found_in(gone), "probe power;");
    auto poor = good;
    poor.rounds.back().r = 0.12;
    EXPECT_EQ(found_in(poor), "misfit;");
    // A low R is a misfit where the floor is far lower.
    poor.rounds.back().r = 0.012;
    poor.floor = 0.009;
    EXPECT_EQ(found_in(poor), "misfit;");
}

TEST(Judge, FindsNothingInReconstructionsOfWhatIsKnown) {
    for (double counts : {2e4, 1e6}) {
        Truth const truth = simulate(32, 7, 5, counts, true);
        stem4d::PtychographyOptions options;
        options.stages[0].iterations = 40;
        options.probe = truth.probe_as_given();
        // At 1e6 counts R is still on its way to what counting leaves.
        auto const names = found_in(stem4d::ptychography(truth.patterns, options).value());
        EXPECT_TRUE(names.empty() || (counts > 1e5 && names == "misfit;")) << names;
    }
}

TEST(Judge, WhatItFindsIsANote) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    stem4d::PtychographyOptions options;
    options.stages[0].iterations = 1;
    options.probe.assign(32 * 32, 1);
    auto const result = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_NE(found_in(result).find("probe edge;"), std::string::npos);
    bool noted = false;
    for (auto const& note : result.notes) noted = noted || note.starts_with("probe edge (");
    EXPECT_TRUE(noted);
    // It is not looked at again to tell all of it.
    auto const again = stem4d::judge(result).value();
    ASSERT_EQ(result.findings.size(), again.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(result.findings[i].name, again[i].name);
        EXPECT_EQ(result.findings[i].value, again[i].value);
    }
}

TEST(Judge, RefusesWhatIsNoResult) {
    EXPECT_FALSE(stem4d::judge({}).has_value());
    auto other = result_of(disks);
    other.positions[3].row = 1e6;
    EXPECT_FALSE(stem4d::judge(other).has_value());
    auto small = result_of(disks);
    small.object.shape = {1, 4, 4};
    EXPECT_FALSE(stem4d::judge(small).has_value());
}

}  // namespace
}  // namespace sluice::ptycho

// Searches: the known orientation comes first, sweeps rank, halves agree as far as their dose goes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {
namespace {

using stem4d::Halves;
using stem4d::PtychographyOptions;

PtychographyOptions quick(Truth const& truth, index iterations) {
    PtychographyOptions options;
    options.stages[0].iterations = iterations;
    options.stages[0].group = 8;
    options.probe = truth.probe_as_given();
    return options;
}

TEST(Orientations, TheRightOneComesFirst) {
    Truth truth = simulate(32, 6, 5, 1e6, false);
    for (int way : {1, 2}) {
        auto patterns = truth.patterns;
        // What undoes it: an exchange, then a flip of the rows; a flip of the columns.
        for (auto& p : patterns.positions) {
            if (way == 1) p = {p.col, -p.row};
            if (way == 2) p = {p.row, -p.col};
        }
        auto const all = stem4d::orientations(patterns, quick(truth, 8)).value();
        ASSERT_EQ(all.size(), 8u);
        EXPECT_EQ(all[0].transpose, way == 1) << way;
        EXPECT_EQ(all[0].flip_rows, way == 1) << way;
        EXPECT_EQ(all[0].flip_cols, way == 2) << way;
        EXPECT_LT(all[0].r, 0.7 * all[1].r) << way;
        EXPECT_GE(all[0].phase.shape[0], 16);
    }
}

TEST(Orientations, TwinsCannotBeToldApartWithoutAProbe) {
    Truth const truth = simulate(32, 6, 5, 1e6, false);
    auto options = quick(truth, 6);
    options.probe.clear();
    auto const all = stem4d::orientations(truth.patterns, options).value();
    EXPECT_NEAR(all[0].r / all[1].r, 1, 0.02);
    EXPECT_EQ(all[0].transpose, all[1].transpose);
    EXPECT_NE(all[0].flip_rows, all[1].flip_rows);
    EXPECT_NE(all[0].flip_cols, all[1].flip_cols);
}

TEST(HeldOut, IsTheROfTheTruth) {
    Truth const truth = simulate(32, 5, 5, 1e6, false);
    stem4d::PtychographyResult result;
    result.object = Array<std::complex<float>>{{1, truth.rows, truth.cols}, {}};
    result.object.values.assign(truth.object.begin(), truth.object.end());
    result.probe = Array<std::complex<float>>{{1, 32, 32}, truth.probe_as_given()};
    EXPECT_LT(stem4d::held_out_r(truth.patterns, result, {}).value(), 1e-3);
    // Amplitudes of twice the size: their difference is the amplitudes themselves.
    for (auto& z : result.probe.values) z *= 2;
    EXPECT_NEAR(stem4d::held_out_r(truth.patterns, result, {}).value(), 1, 1e-3);
    auto away = truth.patterns;
    for (auto& p : away.positions) p.row += 1000;
    EXPECT_FALSE(stem4d::held_out_r(away, result, {}).has_value());
}

TEST(Sweep, RanksAllCombinations) {
    Truth const truth = simulate(32, 6, 5, 1e5, true);
    stem4d::SweepOptions sweep{.base = quick(truth, 1)};
    sweep.axes = {{"solver", {"epie", "lsqml"}}, {"iterations", {"2", "20"}}};
    std::uint64_t most = 0;
    sweep.base.progress = [&](std::uint64_t done, std::uint64_t all) {
        most = std::max(most, done);
        return done <= all;
    };
    auto const runs = stem4d::ptychography_sweep(truth.patterns, sweep).value();
    ASSERT_EQ(runs.size(), 4u);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_LE(runs[i - 1].r, runs[i].r);
    EXPECT_EQ(runs[0].settings[1].second, "20");
    EXPECT_EQ(runs[3].settings[1].second, "2");
    EXPECT_EQ(runs[0].settings[0].first, "solver");
    EXPECT_EQ(runs[0].held_out_r, 0);
    EXPECT_GE(runs[0].phase.shape[0], 16);
    EXPECT_GT(most, 0u);
    // One run is one reconstruction.
    auto options = quick(truth, 20);
    options.stages[0].solver = stem4d::PtychographyStage::Solver::lsqml;
    auto const alone = stem4d::ptychography(truth.patterns, options).value();
    for (auto const& run : runs) {
        bool const same = run.settings[0].second == "lsqml" && run.settings[1].second == "20";
        EXPECT_EQ(run.r == alone.rounds.back().r, same);
    }
}

TEST(Sweep, PatternsHeldOutShowWhenNoiseIsFitted) {
    Truth const truth = simulate(32, 8, 4, 800, true);
    stem4d::SweepOptions sweep{.base = quick(truth, 30), .held_out = 0.1};
    sweep.axes = {{"modes", {"1", "6"}}};
    auto const runs = stem4d::ptychography_sweep(truth.patterns, sweep).value();
    // More modes meet the noise they see, and not that which they do not see.
    EXPECT_EQ(runs[0].settings[0].second, "1");
    EXPECT_GT(runs[0].r, runs[1].r);
    EXPECT_LT(runs[0].held_out_r, runs[1].held_out_r);
}

TEST(Sweep, SaysWhatIsWrong) {
    Truth const truth = simulate(32, 4, 5, 1e5, true);
    auto const error_of = [&](stem4d::SweepAxis axis, double held_out) {
        stem4d::SweepOptions const sweep{
            .base = quick(truth, 1), .axes = {std::move(axis)}, .held_out = held_out};
        auto const runs = stem4d::ptychography_sweep(truth.patterns, sweep);
        return runs ? std::string() : runs.error().message;
    };
    EXPECT_NE(error_of({"modus", {"1"}}, 0).find("modes"), std::string::npos);
    EXPECT_NE(error_of({"modes", {"x"}}, 0).find("whole number"), std::string::npos);
    EXPECT_NE(error_of({"modes", {}}, 0).find("no run"), std::string::npos);
    EXPECT_NE(error_of({"modes", {"1"}}, 0.5).find("held out"), std::string::npos);
    // What fails comes last, with its reason.
    stem4d::SweepOptions sweep{.base = quick(truth, 1)};
    sweep.axes = {{"slices", {"2", "1"}}};
    auto const runs = stem4d::ptychography_sweep(truth.patterns, sweep).value();
    EXPECT_TRUE(runs[0].error.empty());
    EXPECT_NE(runs[1].error.find("slices"), std::string::npos);
    sweep.base.checkpoint = "state.h5";
    auto const kept = stem4d::ptychography_sweep(truth.patterns, sweep);
    EXPECT_NE(kept.error().message.find("no checkpoint"), std::string::npos);
}

TEST(HalfData, AgreesAsFarAsItsDoseGoes) {
    std::vector<double> resolutions;
    for (double counts : {1e3, 1e5}) {
        Truth const truth = simulate(32, 9, 4, counts, true);
        for (Halves halves : {Halves::counts, Halves::patterns}) {
            auto const rings =
                stem4d::correlate_halves(truth.patterns, quick(truth, 20), halves).value();
            EXPECT_GT(rings.correlation[1], 0.6);
            if (halves == Halves::patterns) continue;
            resolutions.push_back(rings.resolution);
        }
    }
    EXPECT_LT(resolutions[1], resolutions[0]);
}

TEST(HalfData, RefusesPartsOfCounts) {
    Truth const truth = simulate(32, 5, 5, 1e5, false);
    auto const found = stem4d::correlate_halves(truth.patterns, quick(truth, 1), Halves::counts);
    ASSERT_FALSE(found.has_value());
    EXPECT_NE(found.error().message.find("whole"), std::string::npos);
}

}  // namespace
}  // namespace sluice::ptycho

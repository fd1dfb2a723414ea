// Divergence: what went wrong is taken back, and what goes well keeps its bits.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/best_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using S = stem4d::PtychographyStage::Solver;

stem4d::PtychographyOptions stage_of(S solver, index iterations, double step) {
    stem4d::PtychographyOptions options;
    options.stages[0].solver = solver;
    options.stages[0].iterations = iterations;
    options.stages[0].group = 7;
    options.stages[0].object_step = options.stages[0].probe_step = step;
    return options;
}

bool notes_say(stem4d::PtychographyResult const& result, char const* words) {
    return std::ranges::any_of(
        result.notes, [&](auto const& note) { return note.find(words) != std::string::npos; });
}

TEST(BestState, GoesBackWhenRRisesThreeTimes) {
    BestState<float> best(true);
    State<float> state;
    double const rs[] = {0.5, 0.3, 0.2, 0.25, 0.28, 0.31};
    for (index i = 0; i < 6; ++i) {
        state.positions = {{static_cast<double>(i), 0}};
        best.before(state);
        best.after(rs[i], i + 1);
        EXPECT_EQ(best.diverges(), i == 5) << i;
    }
    best.restore(state);
    EXPECT_EQ(state.positions[0].row, 2);
    EXPECT_EQ(best.iteration(), 3);
    EXPECT_EQ(best.r(), 0.2);
    EXPECT_FALSE(best.diverges());
}

TEST(BestState, MindsNoSmallRiseAndNoSwing) {
    BestState<float> best(true), off(false);
    double const rs[] = {0.2, 0.21, 0.22, 0.23, 0.24, 0.6, 0.2, 0.5, 0.6, 0.1};
    for (index i = 0; i < 10; ++i) {
        best.before({});
        best.after(rs[i], i + 1);
        EXPECT_EQ(best.diverges(), i == 5) << i;
        off.before({});
        off.after(NAN, i + 1);
        EXPECT_FALSE(off.diverges());
    }
}

// At a high dose nothing near the noise is half more than the best: what counting does not explain
// tells. And a leap is no rise of three.
TEST(BestState, MindsWhatCountingDoesNotExplain) {
    BestRound near_noise(true, 0.02 * 0.02), leapt(true), constrained(true, 0, true);
    double const rs[] = {0.03, 0.021, 0.024, 0.026, 0.027};
    for (index i = 0; i < 5; ++i) {
        near_noise.after(rs[i], i + 1);
        EXPECT_EQ(near_noise.diverges(), i == 4) << i;
    }
    for (double r : {0.1, 0.073, 0.999, 0.999, 0.998}) {
        leapt.after(r, 1);
        constrained.after(r, 1);
    }
    EXPECT_TRUE(leapt.diverges());
    EXPECT_TRUE(leapt.ends_worse());
    EXPECT_FALSE(constrained.diverges() || constrained.ends_worse());
}

// An archive whose windows lie far away.
class Hostile final : public Archive<float> {
  public:
    double row = 0;
    void stack(std::string const&, std::vector<Planar<float>*> const&) override {}
    void of_patterns(std::string const&, std::vector<Planar<float>>&, index, index) override {}
    void numbers(std::string const& name, std::vector<double>& numbers) override {
        if (name == "has best") numbers = {1};
        if (name == "positions") std::ranges::fill(numbers, row);
    }
};

TEST(BestState, WindowsOfADamagedFileAreOnTheCanvas) {
    State<float> state;
    state.object.emplace_back(20, 20);
    state.probe.emplace_back(8, 8);
    state.positions.resize(3);
    Hostile archive;
    for (double row : {0.0, 12.0, 12.1, -1.0, 1e300, std::nan("")}) {
        BestState<float> best(true);
        archive.row = row;
        EXPECT_EQ(best.keep(state, archive).has_value(), row == 0 || row == 12) << row;
    }
}

TEST(Divergence, IsTakenBack) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = stage_of(S::epie, 40, 6);
    options.probe = truth.probe_as_given();
    options.stages[0].probe_support = 1;
    options.restore_best = false;
    auto const wild = stem4d::ptychography(truth.patterns, options);
    options.restore_best = true;
    auto const kept = stem4d::ptychography(truth.patterns, options).value();
    EXPECT_TRUE(notes_say(kept, "half the steps"));
    if (wild) {
        EXPECT_LT(kept.rounds.back().r, 0.7 * wild->rounds.back().r);
    }
    double least = HUGE_VAL;
    for (auto const& round : kept.rounds) least = std::min(least, round.r);
    EXPECT_LT(kept.rounds.back().r, 1.5 * least);
}

TEST(Divergence, NumbersThatAreNoneAreTakenBackToo) {
    Truth const truth = simulate(32, 7, 5, 1e6, false);
    auto options = stage_of(S::epie, 3, 1e30);
    options.probe = truth.probe_as_given();
    auto const lost = stem4d::ptychography(truth.patterns, options);
    ASSERT_FALSE(lost.has_value());
    EXPECT_NE(lost.error().message.find("became NaN or infinite"), std::string::npos);
}

TEST(Divergence, TheGuardChangesNoBitOfWhatGoesWell) {
    Truth const truth = simulate(32, 6, 5, 1e5, true);
    for (S solver : {S::epie, S::rpie, S::mpie, S::lsqml, S::adam, S::dm, S::raar}) {
        auto options = stage_of(solver, 12, 0);
        options.probe = truth.probe_as_given();
        auto const with = stem4d::ptychography(truth.patterns, options).value();
        options.restore_best = false;
        auto const without = stem4d::ptychography(truth.patterns, options).value();
        EXPECT_EQ(with.object.values, without.object.values);
        EXPECT_FALSE(notes_say(with, "half the steps"));
    }
}

}  // namespace
}  // namespace sluice::ptycho

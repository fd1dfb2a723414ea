// What a watcher sees is the reconstruction as it is, and looking changes no bit of it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyView;

PtychographyOptions two_stages() {
    stem4d::PtychographyStage first, second;
    first.iterations = 3;
    first.group = 4;
    second.solver = stem4d::PtychographyStage::Solver::epie;
    second.iterations = 2;
    second.refine_positions = true;
    PtychographyOptions options;
    options.stages = {first, second};
    return options;
}

TEST(Watching, SeesWhatTheResultWillBeAndChangesNothing) {
    Truth const truth = simulate(32, 5, 4, 1e4, true);
    PtychographyOptions options = two_stages();
    auto const alone = stem4d::ptychography(truth.patterns, options);
    ASSERT_TRUE(alone);

    index calls = 0;
    double floor = 0;
    std::vector<double> seen_r;
    std::vector<std::complex<float>> object, probe;
    std::vector<stem4d::Position> positions, started;
    options.watch = [&](PtychographyView const& view) {
        if (view.within) return;
        ++calls;
        EXPECT_EQ(view.iterations, 5);
        EXPECT_EQ(std::ssize(view.rounds), calls);
        EXPECT_EQ(view.done, static_cast<std::uint64_t>(calls) * 25);
        EXPECT_EQ(view.all, 125U);
        seen_r.push_back(view.rounds.back().r);
        floor = view.floor();
        object = view.slice(0).values;
        probe = view.mode(0).values;
        positions.assign(view.positions.begin(), view.positions.end());
        started.assign(view.started.begin(), view.started.end());
    };
    auto const watched = stem4d::ptychography(truth.patterns, options);
    ASSERT_TRUE(watched);
    EXPECT_EQ(calls, 5);
    EXPECT_EQ(watched->object.values, alone->object.values);
    EXPECT_EQ(watched->probe.values, alone->probe.values);
    EXPECT_EQ(object, alone->object.values);
    EXPECT_EQ(probe, alone->probe.values);
    EXPECT_EQ(floor, alone->floor);
    for (std::size_t i = 0; i < seen_r.size(); ++i) EXPECT_EQ(seen_r[i], alone->rounds[i].r);
    bool moved = false;
    for (std::size_t j = 0; j < positions.size(); ++j) {
        EXPECT_EQ(positions[j].row, alone->positions[j].row);
        auto const given = truth.patterns.positions[j];
        EXPECT_DOUBLE_EQ(started[j].row, given.row + alone->shift.row);
        EXPECT_DOUBLE_EQ(started[j].col, given.col + alone->shift.col);
        moved = moved || positions[j].row != started[j].row;
    }
    EXPECT_TRUE(moved);
}

TEST(Watching, LooksIntoLongIterations) {
    Truth const truth = simulate(32, 4, 4, 1e4, true);
    PtychographyOptions options = two_stages();
    options.stages.resize(1);
    options.stages[0].iterations = 1;
    options.progress = [](std::uint64_t, std::uint64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        return true;
    };
    int within = 0, after = 0;
    options.watch = [&](PtychographyView const& view) {
        ++(view.within ? within : after);
        EXPECT_EQ(view.rounds.empty(), view.within);
    };
    ASSERT_TRUE(stem4d::ptychography(truth.patterns, options));
    EXPECT_GE(within, 1);
    EXPECT_LE(within, 4);  // one between two groups
    EXPECT_EQ(after, 1);
}

}  // namespace
}  // namespace sluice::ptycho

// What an earlier result gives to begin with, and what does not fit to it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "domain/ptychography/test_ranks.h"
#include "domain/ptychography/test_simulate.h"
#include "sluice/ptychography_search.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;
using S = stem4d::PtychographyStage::Solver;

class Earlier : public testing::Test {
  protected:
    Truth truth_ = simulate({.side = 32, .places = 6, .step = 5, .jitter = 0.5});
    PtychographyResult first_ = found(2);

    // Refined, so that positions are not those given.
    PtychographyResult found(index modes) {
        truth_.patterns.pixel_nm = 0.01;
        PtychographyOptions options;
        options.stages = {{.solver = S::lsqml, .iterations = 30, .refine_positions = true}};
        options.modes = modes;
        options.probe = truth_.probe_as_given();
        return stem4d::ptychography(truth_.patterns, options).value();
    }
    PtychographyOptions next(S solver, index modes, index margin = 8) const {
        PtychographyOptions options;
        options.stages = {{.solver = solver, .iterations = 2}};
        options.modes = modes;
        options.margin = margin;
        return options;
    }
    void refused(PtychographyOptions options, stem4d::Patterns const& patterns,
                 std::string const& words) const {
        auto const before = options.object.size();
        Status const status = stem4d::start_with(first_, patterns, options);
        ASSERT_FALSE(status) << words;
        EXPECT_NE(status.error().message.find(words), std::string::npos) << status.error().message;
        EXPECT_EQ(options.object.size(), before);
    }
};

TEST_F(Earlier, IsGoneOnFromByAnySolver) {
    for (S solver : {S::epie, S::mpie, S::lsqml, S::adam, S::mlcg})
        for (index margin : {8, 5, 13}) {
            auto options = next(solver, 2, margin);
            std::vector<std::string> notes;
            ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options, &notes));
            auto const begun = stem4d::ptychography(truth_.patterns, options).value();
            // Steps of Adam are as long near the end as at the beginning.
            EXPECT_LT(begun.rounds.front().r,
                      (solver == S::adam ? 4 : 1.01) * first_.rounds.back().r);
            EXPECT_NE(notes.at(0).find("2 modes of the probe"), std::string::npos) << notes.at(0);
            auto const by = static_cast<double>(margin - 8);
            for (std::size_t j = 0; j < first_.positions.size(); ++j) {
                EXPECT_EQ(begun.positions[j].row, first_.positions[j].row + by);
                EXPECT_EQ(begun.started[j].col, first_.started[j].col + by);
            }
        }
}

// Of a scan that grows: the rows that had come give their object and positions to the whole.
TEST_F(Earlier, GrowsWithTheScan) {
    auto const& whole = truth_.patterns;
    auto part = whole;
    index const some = 24, pixels = whole.size * whole.size;
    part.positions.resize(static_cast<std::size_t>(some));
    std::visit([&](auto& counts) { counts.resize(static_cast<std::size_t>(some * pixels)); },
               part.counts);
    PtychographyOptions options = next(S::lsqml, 2);
    options.probe = truth_.probe_as_given();
    options.stages.front().iterations = 30;
    auto const earlier = stem4d::ptychography(part, options).value();
    std::vector<index> numbers(static_cast<std::size_t>(some));
    std::iota(numbers.begin(), numbers.end(), 0);
    auto grown = next(S::lsqml, 2);
    ASSERT_TRUE(stem4d::grow_from(earlier, numbers, whole, grown));
    auto const begun = stem4d::ptychography(whole, grown).value();
    auto fresh = next(S::lsqml, 2);
    fresh.probe = truth_.probe_as_given();
    auto const anew = stem4d::ptychography(whole, fresh).value();
    EXPECT_LT(begun.rounds.front().r, 0.8 * anew.rounds.front().r);
    // Numbers that are not those of its patterns.
    EXPECT_FALSE(stem4d::grow_from(earlier, std::vector<index>{0, 1}, whole, grown));
    numbers.back() = whole.count();
    EXPECT_FALSE(stem4d::grow_from(earlier, numbers, whole, grown));
    EXPECT_FALSE(stem4d::grow_from({}, {}, whole, grown));
}

// Positions that were refined matter: without them R begins higher.
TEST_F(Earlier, GivesItsPositions) {
    auto options = next(S::lsqml, 2);
    ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options));
    auto const with = stem4d::ptychography(truth_.patterns, options).value();
    options.positions.clear();
    auto const without = stem4d::ptychography(truth_.patterns, options).value();
    EXPECT_LT(1.5 * with.rounds.front().r, without.rounds.front().r);
    options.positions = {{0, 0}};
    auto few = stem4d::ptychography(truth_.patterns, options);
    ASSERT_FALSE(few);
    EXPECT_NE(few.error().message.find("1 first positions"), std::string::npos);
    options.positions.assign(36, {9, -0.5});
    auto away = stem4d::ptychography(truth_.patterns, options);
    ASSERT_FALSE(away);
    EXPECT_NE(away.error().message.find("beyond the object"), std::string::npos);
}

TEST_F(Earlier, MayHaveFewerModesOrMore) {
    double const power = first_.probe_power;
    for (index modes : {1, 2, 4}) {
        auto options = next(S::epie, modes);
        std::vector<std::string> notes;
        ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options, &notes));
        EXPECT_EQ(notes.at(0).find("strongest 1 of 2") != std::string::npos, modes == 1);
        options.stages[0].fix_probe = true;
        auto const begun = stem4d::ptychography(truth_.patterns, options).value();
        EXPECT_EQ(begun.probe.shape[0], modes);
        EXPECT_NEAR(begun.probe_power, power, 1e-4 * power);
        if (modes == 2) {
            EXPECT_EQ(begun.probe.values, first_.probe.values);
        }
        // What is added has a part of the power; what is left out had some.
        EXPECT_LT(begun.rounds.front().r, 0.5 * first_.rounds.front().r) << modes;
    }
}

// Devices, and projections that round positions.
TEST_F(Earlier, IsBegunWithOnDevicesAndByProjections) {
    auto options = next(S::rpie, 2);
    ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options));
    auto const here = stem4d::ptychography(truth_.patterns, options).value();
    options.device = Device::fake();
    auto const there = stem4d::ptychography(truth_.patterns, options).value();
    EXPECT_NEAR(there.rounds.front().r, here.rounds.front().r, 1e-4);
    options = next(S::raar, 2);
    ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options));
    EXPECT_LT(stem4d::ptychography(truth_.patterns, options)->rounds.front().r,
              0.8 * first_.rounds.front().r);
}

TEST_F(Earlier, SaysWhatDoesNotFit) {
    auto const options = next(S::lsqml, 2);
    auto patterns = truth_.patterns;
    patterns.pixel_nm = 0.02;
    refused(options, patterns, "pixels of 0.01 nm and these patterns make 0.02 nm");
    patterns.pixel_nm = 0;  // not known
    auto same = options;
    EXPECT_TRUE(stem4d::start_with(first_, patterns, same));
    patterns = truth_.patterns;
    patterns.positions[7].col += 0.3;
    refused(options, patterns, "pattern 7 lies 0.3 pixels");
    // All of them moved alike is the same scan.
    for (auto& p : patterns.positions) p = {p.row - 70, p.col + 3.25};
    patterns.positions[7].col -= 0.3;
    EXPECT_TRUE(stem4d::start_with(first_, patterns, same));
    patterns = stem4d::part_of(truth_.patterns, {0, 1, 2, 6, 7, 8}).value();
    refused(options, patterns, "of 36 patterns and there are 6");
    auto other = options;
    other.slices = 3;
    refused(other, truth_.patterns, "slices = 1 and now slices = 3");
    other = options;
    other.detector_bin = 2;
    refused(other, truth_.patterns, "32 pixels wide and a window is 64");
    other = options;
    other.margin = 0;
    refused(other, truth_.patterns, "give a larger margin");
    first_.probe.shape[1] = 31;
    refused(options, truth_.patterns, "the earlier result's probe");
}

TEST_F(Earlier, OfANearFieldIsNoneOfAFarOne) {
    first_.propagation = stem4d::Propagation::near;
    refused(next(S::lsqml, 2), truth_.patterns, "of a near field");
}

TEST_F(Earlier, IsNothingForHalvesAndTurns) {
    auto options = next(S::lsqml, 2);
    ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options));
    auto const halves = stem4d::correlate_halves(truth_.patterns, options, stem4d::Halves::counts);
    ASSERT_FALSE(halves);
    EXPECT_NE(halves.error().message.find("begin anew"), std::string::npos);
    EXPECT_FALSE(stem4d::orientations(truth_.patterns, options));
    stem4d::SweepOptions sweep{.base = options, .axes = {{"modes", {"2", "3"}}}, .held_out = 0.1};
    EXPECT_FALSE(stem4d::ptychography_sweep(truth_.patterns, sweep));
    sweep.held_out = 0;
    auto const runs = stem4d::ptychography_sweep(truth_.patterns, sweep).value();
    for (auto const& run : runs) EXPECT_TRUE(run.error.empty()) << run.error;
}

// Ranks begin with what the first one has, and end together where one cannot begin.
TEST_F(Earlier, IsThatOfTheFirstRank) {
    auto options = next(S::lsqml, 2);
    ASSERT_TRUE(stem4d::start_with(first_, truth_.patterns, options));
    auto const one = stem4d::ptychography(truth_.patterns, options).value();
    auto const damaged = [](int rank, PtychographyOptions& mine) {
        if (rank != 1) return;
        mine.object[500] *= 2;
        mine.probe[100] *= 2;
        mine.positions[3].row += 0.25;
    };
    for (auto& result : on_ranks(3, truth_.patterns, options, damaged))
        EXPECT_LT(apart(std::move(result).value().object, one.object), 1e-5);
    for (int part : {0, 1, 2}) {
        auto const none = [&](int rank, PtychographyOptions& mine) {
            if (rank == 1 && part == 0) mine.object.resize(4);
            if (rank == 1 && part == 1) mine.probe.resize(4);
            if (rank == 1 && part == 2) mine.positions.resize(4);
        };
        for (auto const& result : on_ranks(3, truth_.patterns, options, none))
            EXPECT_FALSE(result) << part;
    }
}

}  // namespace
}  // namespace sluice::ptycho

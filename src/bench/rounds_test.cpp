// The order of rounds, and what is told of them, on a clock that the test moves.
// SPDX-License-Identifier: Apache-2.0
#include "bench/rounds.h"

#include <gtest/gtest.h>

#include "bench/test_clock.h"

namespace sluice::bench {
namespace {

TEST(Stopwatch, TellsWhatPassed) {
    FakeClock time;
    time.pass(100, 50, 25);
    Stopwatch const watch(time.clock);
    time.pass(4, 7, 1);
    EXPECT_EQ(watch.lap().wall_s, 4);
    EXPECT_EQ(watch.lap().cpu_s, 7);
    EXPECT_EQ(watch.lap().waited_s, 1);
    // A thread that ended took its waiting with it.
    time.pass(0, 0, -20);
    EXPECT_EQ(watch.lap().waited_s, 0);
}

TEST(Stopwatch, TheSystemsClocksGoForwards) {
    Stopwatch const watch;
    double sum = 0;
    while (watch.lap().cpu_s == 0 || watch.lap().wall_s == 0) sum += 1;
    EXPECT_GE(sum, 0);
    EXPECT_GE(watch.lap().waited_s, 0);
}

TEST(Rounds, AreInterleavedAndTheFirstWarmsUp) {
    FakeClock time;
    std::string log;
    std::vector<Contestant> all{ticking(time, "a", {9, 1, 3, 2}, &log),
                                ticking(time, "b", {5, 6}, &log)};
    all[1].prepare = [&]() -> Status {
        log += "prepare ";
        time.pass(1000, 1000);
        return {};
    };
    std::vector<std::string> notes;
    auto const results = run_rounds(all, {1, 3, {}}, notes);
    ASSERT_TRUE(results);
    EXPECT_EQ(log, "a prepare b a prepare b a prepare b a prepare b ");
    ASSERT_EQ(results->size(), 2u);
    Measured const &a = (*results)[0], &b = (*results)[1];
    EXPECT_EQ(a.name, "a");
    ASSERT_EQ(a.laps.size(), 3u);
    EXPECT_EQ(a.wall().min, 1);
    EXPECT_EQ(a.wall_s(), 2);
    EXPECT_EQ(a.wall().max, 3);
    EXPECT_EQ(a.cpu_s(), 4);
    // What prepares a round is not timed.
    EXPECT_EQ(b.wall_s(), 6);
    EXPECT_TRUE(notes.empty());
}

TEST(Rounds, BytesMakeAFractionOfTheBandwidth) {
    FakeClock time;
    std::vector<Contestant> all{ticking(time, "a", {2})};
    all[0].bytes = 6e9;
    all[0].items = 4;
    std::vector<std::string> notes;
    Measured const m = run_rounds(all, {0, 3, {}}, notes).value()[0];
    EXPECT_EQ(m.bytes_per_s(), 3e9);
    EXPECT_EQ(m.of_bandwidth(12e9), 0.25);
    EXPECT_EQ(m.of_bandwidth(0), 0);
    EXPECT_EQ(m.item_s(), 0.5);
}

TEST(Rounds, TellHowMuchTheyCanBeTrusted) {
    Measured m;
    m.threads = 2;
    m.laps = {{1, 2, 0.5}, {2, 4, 0}, {5, 10, 1.1}};
    Trial t = m.trial();
    EXPECT_EQ(t.threads, 2);
    EXPECT_EQ(t.repeats, 3);
    EXPECT_EQ(t.wall_s, 2);
    EXPECT_EQ(t.cpu_s, 4);
    EXPECT_EQ(t.starved, 1.6 / 16);
    EXPECT_EQ(t.spread, (5.0 - 1.0) / 2);
    // One round of many that was disturbed does not spoil the median.
    m.laps.assign(9, {2, 4, 0});
    m.laps[3].wall_s = 50;
    EXPECT_EQ(m.trial().spread, 0);
    m.laps = {};
    EXPECT_EQ(m.trial().spread, 0);
    EXPECT_EQ(m.trial().starved, 0);
}

TEST(Rounds, ARivalThatFailsIsLeftOutAndOursEndsAll) {
    FakeClock time;
    std::vector<Contestant> all{ticking(time, "ours", {1}), ticking(time, "theirs", {2})};
    all[1].rival = true;
    all[1].run = [n = 0]() mutable -> Result<Lap> {
        if (++n == 2) return Error{Code::io, "no more today"};
        EXPECT_LT(n, 2) << "asked again";
        return Lap{1, 1, 0};
    };
    std::vector<std::string> notes;
    auto const results = run_rounds(all, {0, 4, {}}, notes);
    ASSERT_TRUE(results);
    ASSERT_EQ(results->size(), 1u);
    EXPECT_EQ((*results)[0].laps.size(), 4u);
    EXPECT_EQ(notes, std::vector<std::string>{"theirs is left out of race: no more today"});
    all[0].run = []() -> Result<Lap> { return Error{Code::corrupt, "broken", "x.czi"}; };
    auto const stopped = run_rounds(all, {0, 4, {}}, notes);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().text(), "x.czi: 'ours' of race stopped: broken");
    EXPECT_EQ(stopped.error().code, Code::corrupt);
}

TEST(Rounds, ProgressCountsTurnsAndStops) {
    FakeClock time;
    std::string log;
    std::vector<Contestant> all{ticking(time, "a", {1}, &log), ticking(time, "b", {1}, &log)};
    std::vector<std::string> notes;
    std::vector<std::uint64_t> told;
    auto const stopped = run_rounds(all,
                                    {1, 2,
                                     [&](std::uint64_t done, std::uint64_t total) {
                                         EXPECT_EQ(total, 6u);
                                         told.push_back(done);
                                         return done < 3;
                                     }},
                                    notes);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 2, 3}));
    EXPECT_EQ(log, "a b a ");
}

}  // namespace
}  // namespace sluice::bench

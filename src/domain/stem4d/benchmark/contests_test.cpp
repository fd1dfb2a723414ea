// What is timed of scans agrees, and what is concluded from the times.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/benchmark/contests.h"

#include <gtest/gtest.h>

#include "bench/answers.h"
#include "sluice/dataset.h"

namespace sluice::stem4d {
namespace {

TEST(Stem4dBenchmark, OneOfSixteenIsTheSameAlone) {
    auto dataset = open("synthetic:stem4d?scan=8x8&detector=64x64&dose=400");
    ASSERT_TRUE(dataset) << dataset.error().message;
    auto const scan = Scan::load(*std::move(dataset));
    ASSERT_TRUE(scan);
    Options options;
    options.device = Device::cpu(2);
    options.disk = find_disk(*scan).value();
    auto all = memory_contestants(*scan, {parse_detector("bf").value()}, options);
    ASSERT_TRUE(all) << all.error().message;
    ASSERT_EQ(all->size(), 20u);
    EXPECT_EQ((*all)[7].name, "variance pattern");
    EXPECT_EQ(all->back().name, "mean of a circle from tables");
    EXPECT_EQ((*all)[0].name, "bf");
    EXPECT_GT((*all)[0].bytes, 0);
    EXPECT_EQ((*all)[0].items, 64);
    std::vector<std::string> notes;
    EXPECT_TRUE(bench::compare_answers(*all, notes));
    // Rings and annuli have an answer, and not the same one.
    EXPECT_NE((*all)[1].answer().value(), (*all)[3].answer().value());
    EXPECT_TRUE(bench::run_rounds(*all, {0, 1, {}}, notes));
}

TEST(Stem4dBenchmark, LayoutsAgree) {
    auto const scan = [](Layout layout) {
        LoadOptions load;
        load.layout = layout;
        return Scan::load(open("synthetic:stem4d?scan=9x8&detector=32x40&seed=3").value(), load)
            .value();
    };
    Scan const tiles = scan(Layout::planes), lines = scan(Layout::lines);
    Options options;
    options.device = Device::cpu(2);
    options.disk = find_disk(tiles).value();
    auto all = layout_contestants(tiles, lines, {parse_detector("bf").value()}, options);
    ASSERT_EQ(all.size(), 20u);
    EXPECT_EQ(all[1].contest, "bf");
    EXPECT_EQ(all[1].name, "lines of bit planes");
    std::vector<std::string> notes;
    EXPECT_TRUE(bench::compare_answers(all, notes));
    EXPECT_TRUE(bench::run_rounds(all, {0, 1, {}}, notes));
}

bench::Measured row(std::string contest, std::string name, double seconds, int rounds = 3) {
    bench::Measured m;
    m.contest = std::move(contest);
    m.name = std::move(name);
    m.laps.assign(static_cast<std::size_t>(rounds), {seconds, seconds, 0});
    return m;
}

TEST(Stem4dBenchmark, RatiosAreOfContestsOfTwo) {
    auto const found = ratios({row("load", "load", 3), row("load", "LZ4 alone", 2),
                               row("three", "a", 1), row("three", "b", 1), row("three", "c", 1),
                               row("rings", "one", 1), row("rings", "sixteen", 4)});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].text, "load: 'load' takes 1.50 times as long as 'LZ4 alone'.");
    EXPECT_EQ(found[0].evidence, "medians of 3 rounds");
    EXPECT_EQ(found[1].text, "rings: 'sixteen' takes 4.00 times as long as 'one'.");
    // A contest alone needs no name.
    auto const alone = ratios({row("load", "load", 3), row("load", "LZ4 alone", 2)});
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0].text, "'load' takes 1.50 times as long as 'LZ4 alone'.");
    // Two rounds, or microseconds, say nothing.
    EXPECT_TRUE(ratios({row("load", "load", 3), row("load", "LZ4 alone", 2, 2)}).empty());
    EXPECT_TRUE(ratios({row("load", "load", 1e-5), row("load", "LZ4 alone", 2)}).empty());
}

}  // namespace
}  // namespace sluice::stem4d

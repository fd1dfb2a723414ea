// One rule for negative and lost counts: keep_measured().
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/ptychography_file.h"

namespace sluice::stem4d {
namespace {

constexpr index side = 8, count = 40, pixels = side * side;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Patterns some() {
    Patterns p;
    p.size = side;
    p.counts = std::vector<float>(static_cast<std::size_t>(count * pixels), 2);
    for (index j = 0; j < count; ++j) p.positions.push_back({static_cast<double>(j), 0});
    return p;
}

float& at(Patterns& p, index pattern, index pixel) {
    return std::get<std::vector<float>>(
        p.counts)[static_cast<std::size_t>(pattern * pixels + pixel)];
}

std::string text(std::vector<std::string> const& notes) {
    std::string all;
    for (auto const& n : notes) all += n + "\n";
    return all;
}

bool all_count(Patterns const& p) {
    return std::ranges::all_of(std::get<std::vector<float>>(p.counts),
                               [](float v) { return std::isfinite(v) && v >= 0; });
}

TEST(KeepMeasured, NegativeCountsAreMeasuredAndBecomeZero) {
    Patterns p = some();
    at(p, 3, 4) = -0.5F, at(p, 5, 6) = -1.5F;
    std::vector<std::string> notes;
    ASSERT_TRUE(keep_measured(p, &notes));
    EXPECT_EQ(at(p, 3, 4), 0);
    EXPECT_EQ(p.count(), count);
    EXPECT_TRUE(p.bad.empty());
    EXPECT_NE(text(notes).find("2 counts are below 0"), std::string::npos) << text(notes);
    EXPECT_NE(text(notes).find("0.039 %"), std::string::npos) << text(notes);
}

TEST(KeepMeasured, EmptyPatternsAreLeftOut) {
    Patterns p = some();
    for (index q = 0; q < pixels; ++q) at(p, 7, q) = nan;
    std::vector<std::string> notes;
    ASSERT_TRUE(keep_measured(p, &notes));
    EXPECT_EQ(p.count(), count - 1);
    EXPECT_EQ(p.positions[7].row, 8);
    EXPECT_EQ(std::ssize(std::get<std::vector<float>>(p.counts)), (count - 1) * pixels);
    EXPECT_TRUE(p.bad.empty());
    EXPECT_TRUE(all_count(p));
    EXPECT_NE(text(notes).find("1 pattern was not measured at all"), std::string::npos)
        << text(notes);
}

TEST(KeepMeasured, PixelsThatOftenLackAreBadAndPatternsThatStillLackAreLeftOut) {
    Patterns p = some();
    for (index j = 0; j < count; j += 2) at(p, j, 9) = nan;
    at(p, 5, 10) = std::numeric_limits<float>::infinity();
    std::vector<std::string> notes;
    ASSERT_TRUE(keep_measured(p, &notes));
    EXPECT_EQ(p.count(), count - 1);
    ASSERT_EQ(std::ssize(p.bad), pixels);
    for (index q = 0; q < pixels; ++q) EXPECT_EQ(p.bad[static_cast<std::size_t>(q)], q == 9);
    EXPECT_TRUE(all_count(p));
    EXPECT_NE(text(notes).find("1 pixel lacks counts in more than a tenth"), std::string::npos);
    EXPECT_NE(text(notes).find("1 pattern lacks counts"), std::string::npos) << text(notes);
}

TEST(KeepMeasured, ScatteredGapsTakePixelsWhereTheyWouldTakeMostPatterns) {
    Patterns p = some();
    for (index j = 0; j < count; ++j) at(p, j, j % 25) = nan;
    ASSERT_TRUE(keep_measured(p));
    EXPECT_EQ(p.count(), count);
    EXPECT_EQ(std::ranges::count(p.bad, std::uint8_t{1}), 25);
    EXPECT_TRUE(all_count(p));
}

TEST(KeepMeasured, RefusesWhereLittleIsLeft) {
    Patterns all = some(), most = some();
    for (float& v : std::get<std::vector<float>>(all.counts)) v = nan;
    for (index q = 0; q < 40; ++q)
        for (index j = 0; j < count; j += 2) at(most, j, q) = nan;
    for (Patterns* p : {&all, &most}) {
        Status const kept = keep_measured(*p);
        ASSERT_FALSE(kept);
        EXPECT_NE(kept.error().message.find("measured"), std::string::npos);
    }
}

// Ranks hold the counts of some of the positions, and would each leave out something else.
TEST(KeepMeasured, RefusesAPartOfThePatternsThatLacksCounts) {
    Patterns p = some();
    std::get<std::vector<float>>(p.counts).resize(static_cast<std::size_t>(count / 2 * pixels));
    at(p, 1, 1) = -1;
    ASSERT_TRUE(keep_measured(p));
    for (index j = 0; j < count / 2; ++j) at(p, j, 9) = nan;
    Status const kept = keep_measured(p);
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, Code::unsupported);
}

}  // namespace
}  // namespace sluice::stem4d

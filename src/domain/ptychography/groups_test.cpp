// Groups: every pattern once, and coloured ones only with such as lie apart.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/reconstruct.h"
#include "domain/ptychography/test_simulate.h"

namespace sluice::ptycho {
namespace {

using stem4d::PtychographyStage;

std::vector<stem4d::Position> raster() {
    std::vector<stem4d::Position> positions;
    for (int i = 0; i < 400; ++i)
        positions.push_back({3.7 * (i / 20) - 30, 4.1 * (i % 20) + 0.1 * (i % 3)});
    return positions;
}

void expect_each_once(std::vector<std::vector<index>> const& groups, index patterns) {
    std::vector<index> all;
    for (auto const& group : groups) all.insert(all.end(), group.begin(), group.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(std::ssize(all), patterns);
    for (index j = 0; j < patterns; ++j) EXPECT_EQ(all[static_cast<std::size_t>(j)], j);
}

TEST(Groups, ColouredOnesHaveOnlyPatternsThatLieApart) {
    auto const positions = raster();
    auto const groups = coloured_groups(positions, 17, 400, 3, 1);
    expect_each_once(groups, 400);
    // A square of 17 pixels holds 5 x 5 places, and a first fit needs some more than that.
    EXPECT_GE(groups.size(), 25U);
    EXPECT_LE(groups.size(), 60U);
    for (auto const& group : groups)
        for (index a : group)
            for (index b : group) {
                auto const &x = positions[static_cast<std::size_t>(a)],
                           &y = positions[static_cast<std::size_t>(b)];
                EXPECT_TRUE(a == b || std::abs(x.row - y.row) >= 17 ||
                            std::abs(x.col - y.col) >= 17)
                    << a << " and " << b;
            }
}

TEST(Groups, ColouredOnesHaveASizeAtMostAndAnotherOrderEachRound) {
    auto const positions = raster();
    auto const groups = coloured_groups(positions, 17, 6, 3, 1);
    expect_each_once(groups, 400);
    for (auto const& group : groups) EXPECT_LE(group.size(), 6U);
    EXPECT_EQ(groups, coloured_groups(positions, 17, 6, 3, 1));
    EXPECT_NE(groups, coloured_groups(positions, 17, 6, 3, 2));
    EXPECT_NE(groups, coloured_groups(positions, 17, 6, 4, 1));
    EXPECT_EQ(coloured_groups(positions, 1000, 6, 3, 1).size(), 400U);
    EXPECT_TRUE(coloured_groups({}, 17, 6, 3, 1).empty());
}

// What coloured groups are for: as one after the other, but many at a time.
TEST(Groups, ColouredOnesConvergeAsOneAfterTheOther) {
    Truth const truth =
        simulate({.side = 32, .places = 12, .step = 4, .counts = 1e5, .noise = true});
    stem4d::PtychographyOptions options;
    options.probe = truth.probe_as_given();
    options.sub_pixel = false;
    auto const r_of = [&](index group, PtychographyStage::Grouping grouping) {
        options.stages = {{.solver = PtychographyStage::Solver::epie,
                           .iterations = 6,
                           .group = group,
                           .grouping = grouping,
                           .fix_probe = true}};
        auto const found = stem4d::ptychography(truth.patterns, options).value();
        options.device = Device::cpu(3);
        EXPECT_EQ(found.object.values,
                  stem4d::ptychography(truth.patterns, options).value().object.values);
        return found.rounds.back().r;
    };
    double const one = r_of(1, PtychographyStage::Grouping::random);
    double const coloured = r_of(144, PtychographyStage::Grouping::coloured);
    EXPECT_GT(r_of(144, PtychographyStage::Grouping::random), 1.2 * one);
    EXPECT_NEAR(coloured, one, 0.02 * one);
}

}  // namespace
}  // namespace sluice::ptycho

// Comparisons whose answers are in tables, or can be counted by hand.
// SPDX-License-Identifier: Apache-2.0
#include "bench/compare.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::bench {
namespace {

using Rounds = std::vector<double>;

TEST(Compare, RanksAreCountedExactly) {
    // Four below four: one order of 70 on either side.
    EXPECT_DOUBLE_EQ(rank_test(Rounds{1, 2, 3, 4}, Rounds{5, 6, 7, 8}), 2.0 / 70);
    EXPECT_DOUBLE_EQ(rank_test(Rounds{5, 6, 7, 8}, Rounds{1, 2, 3, 4}), 2.0 / 70);
    // One pair the other way: two orders of 70 on either side.
    EXPECT_DOUBLE_EQ(rank_test(Rounds{1, 2, 3, 5}, Rounds{4, 6, 7, 8}), 4.0 / 70);
    // Three below three can never be below 5 %.
    EXPECT_DOUBLE_EQ(rank_test(Rounds{1, 2, 3}, Rounds{4, 5, 6}), 0.1);
    EXPECT_DOUBLE_EQ(rank_test(Rounds{}, Rounds{1}), 1);
}

TEST(Compare, ManyRanksAreNearlyNormal) {
    // Of 20 and 20 both ways can be had: they agree.
    Rounds a, b;
    for (int i = 0; i < 20; ++i) a.push_back(i), b.push_back(i + 5.5);
    double const exact = rank_test(a, b);
    a.push_back(-1), b.push_back(26);  // 21: by the approximation
    double const normal = rank_test(a, b);
    EXPECT_NEAR(exact, normal, 0.01);
    EXPECT_LT(exact, 0.05);
    // Equal numbers show nothing.
    EXPECT_GT(rank_test(Rounds(8, 1.0), Rounds(8, 1.0)), 0.9);
}

TEST(Compare, TellsFasterFromLuckier) {
    Rounds const before{10.1, 10.3, 9.9, 10.0, 10.2, 10.4, 9.8};
    Rounds faster, same{10.0, 10.25, 9.95, 10.15, 10.35, 9.85, 10.05};
    for (double const s : before) faster.push_back(0.8 * s);
    auto const f = compare(before, faster);
    EXPECT_EQ(f.verdict, "faster");
    EXPECT_NEAR(f.ratio, 0.8, 1e-12);
    EXPECT_LE(f.low, f.ratio);
    EXPECT_GE(f.high, f.ratio);
    EXPECT_EQ(compare(faster, before).verdict, "slower");
    EXPECT_EQ(compare(before, same).verdict, "no difference shown");
    EXPECT_EQ(compare(Rounds{2, 2.1, 2.2}, Rounds{1, 1.1, 1.2}).verdict, "too few rounds");
    EXPECT_EQ(compare(before, Rounds{}).verdict, "not measured");
}

TEST(Compare, OneSlowRoundIsNoDifference) {
    Rounds const before{1, 1.01, 1.02, 1.03, 1.04};
    EXPECT_EQ(compare(before, Rounds{1.005, 1.015, 1.025, 1.035, 9}).verdict,
              "no difference shown");
}

}  // namespace
}  // namespace sluice::bench

// Tests of when a dataset is tried again.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/patience.h"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

using std::chrono::seconds;

struct PatienceTest : testing::Test {
    Patience::Clock::time_point const start = Patience::Clock::time_point(seconds(1000));
    Patience patience{seconds(2)};
};

TEST_F(PatienceTest, TriesWhenAChangeHasComeToRest) {
    patience.tried("a", start);
    EXPECT_FALSE(patience.due("a", start + seconds(2), false));
    EXPECT_FALSE(patience.due("b", start + seconds(4), false));  // it may still be written
    EXPECT_FALSE(patience.due("c", start + seconds(6), false));
    EXPECT_TRUE(patience.due("c", start + seconds(8), false));
    patience.tried("c", start + seconds(8));
    EXPECT_FALSE(patience.due("c", start + seconds(10), false));
}

TEST_F(PatienceTest, TriesEverMoreSeldomWhatDoesNotChange) {
    int attempts = 0;
    patience.tried("a", start);
    for (int t = 0; t <= 600; t += 2)
        if (patience.due("a", start + seconds(t), true)) {
            patience.tried("a", start + seconds(t));
            ++attempts;
        }
    EXPECT_GE(attempts, 10);  // 2, 4, 8, 16, 32 and then every 64 seconds
    EXPECT_LE(attempts, 15);
    EXPECT_FALSE(patience.due("a", start + seconds(10000), false));
}

TEST_F(PatienceTest, AChangeMakesItHopefulAgain) {
    for (int t = 0; t < 300; t += 2)
        if (patience.due("a", start + seconds(t), true)) patience.tried("a", start + seconds(t));
    EXPECT_FALSE(patience.due("b", start + seconds(300), false));
    EXPECT_TRUE(patience.due("b", start + seconds(302), false));
    patience.tried("b", start + seconds(302));
    EXPECT_TRUE(patience.due("b", start + seconds(304), true));
}

TEST_F(PatienceTest, WhatNeverRestsIsTriedAllTheSame) {
    patience.tried("", start);
    bool due = false;
    for (int t = 2; t < 200; t += 2)
        due = due || patience.due(std::to_string(t), start + seconds(t), true);
    EXPECT_TRUE(due);
}

TEST_F(PatienceTest, KnowsWhetherSomebodyWrites) {
    EXPECT_FALSE(patience.lively(start));
    patience.tried("a", start);
    patience.due("b", start + seconds(2), false);
    EXPECT_TRUE(patience.lively(start + seconds(60)));
    EXPECT_FALSE(patience.lively(start + seconds(70)));
}

}  // namespace
}  // namespace sluice::app

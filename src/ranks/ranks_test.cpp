// Ranks: sums in their order, what goes from one to all, errors of one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "ranks/slices.h"
#include "ranks/test_exercise.h"
#include "ranks/threads.h"

namespace sluice {
namespace {

TEST(Slices, AreAllNumbersOnce) {
    for (index n : {0, 1, 5, 7, 1000})
        for (int ranks : {1, 2, 3, 8}) {
            EXPECT_EQ(slice_begin(n, 0, ranks), 0);
            EXPECT_EQ(slice_begin(n, ranks, ranks), n);
            for (int r = 0; r < ranks; ++r) {
                index const length = slice_begin(n, r + 1, ranks) - slice_begin(n, r, ranks);
                EXPECT_GE(length, n / ranks);
                EXPECT_LE(length, n / ranks + 1);
            }
        }
}

TEST(Threads, DoWhatRanksDo) {
    for (int ranks : {1, 2, 3, 4})
        run_ranks(ranks, [&](Communicator& communicator) {
            EXPECT_EQ(communicator.ranks(), ranks);
            EXPECT_EQ(exercise(communicator), "");
        });
}

TEST(ThreadsDeathTest, EndWhereOneLeaves) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run_ranks(2,
                           [](Communicator& ranks) {
                               if (ranks.rank() == 0) ranks.barrier();
                           }),
                 "");
}

}  // namespace
}  // namespace sluice

// What workers keep from one number to the next.
// SPDX-License-Identifier: Apache-2.0
#include "device/per_worker.h"

#include <gtest/gtest.h>

#include "device/workers.h"

namespace sluice {
namespace {

TEST(PerWorker, NobodySharesASlot) {
    constexpr int threads = 4;
    constexpr index numbers = 1000;
    PerWorker<std::vector<index>> seen(threads);
    for (int round = 0; round < 2; ++round)
        parallel_for(numbers, threads, 1, [&](index i, int worker) { seen[worker].push_back(i); });
    index total = 0;
    for (int worker = 0; worker < threads; ++worker) total += std::ssize(seen[worker]);
    EXPECT_EQ(total, 2 * numbers);
}

TEST(PerWorker, HasASlotWithoutThreads) {
    PerWorker<int> one(0);
    one[0] = 7;
    EXPECT_EQ(one[0], 7);
}

}  // namespace
}  // namespace sluice

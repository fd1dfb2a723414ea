// Tests of whose turn it is.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/latest_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::app {
namespace {

TEST(LatestQueue, KeepsTheNewestOfASlot) {
    LatestQueue<int> queue;
    EXPECT_TRUE(queue.put(1, "image", 10));
    EXPECT_TRUE(queue.put(1, "frame", 20));
    EXPECT_FALSE(queue.put(1, "image", 11));
    EXPECT_EQ(queue.size(1), 2U);
    EXPECT_EQ(*queue.take(), 11);
    EXPECT_EQ(*queue.take(), 20);
    EXPECT_EQ(queue.size(1), 0U);
}

TEST(LatestQueue, TakesTurns) {
    LatestQueue<int> queue;
    for (int i = 0; i < 3; ++i) queue.put(1, std::to_string(i), 10 + i);
    queue.put(2, "a", 20);
    queue.put(3, "a", 30);
    std::vector<int> order;
    for (int i = 0; i < 5; ++i) order.push_back(*queue.take());
    EXPECT_EQ(order, (std::vector<int>{10, 20, 30, 11, 12}));
}

TEST(LatestQueue, PassesOverWhoIsNotReady) {
    LatestQueue<int> queue;
    queue.ready = [](ClientId client) { return client != 1; };
    queue.put(1, "a", 10);
    queue.put(2, "a", 20);
    EXPECT_EQ(*queue.take(), 20);
    EXPECT_EQ(queue.size(1), 1U);
}

TEST(LatestQueue, WaitsUntilAJobIsDue) {
    LatestQueue<int> queue;
    auto const due = Clock::now() + std::chrono::milliseconds(30);
    queue.put(1, "late", 1, due);
    queue.put(1, "now", 2);
    EXPECT_EQ(*queue.take(), 2);
    EXPECT_EQ(*queue.take(), 1);
    EXPECT_GE(Clock::now(), due);
}

TEST(LatestQueue, ForgetsClientsAndSlots) {
    LatestQueue<int> queue;
    queue.put(1, "a", 1);
    queue.put(1, "b", 2);
    queue.put(2, "a", 3);
    queue.forget(1, "a");
    queue.forget(2);
    EXPECT_EQ(*queue.take(), 2);
    queue.stop();
    EXPECT_FALSE(queue.take());
}

TEST(LatestQueue, EndsWhoWaits) {
    LatestQueue<int> queue;
    std::thread waiting([&] { EXPECT_FALSE(queue.take()); });
    queue.stop();
    waiting.join();
}

}  // namespace
}  // namespace sluice::app

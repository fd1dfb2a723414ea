// parallel_for: every number once, for any number of threads, nested and from several threads.
// SPDX-License-Identifier: Apache-2.0
#include "device/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace sluice {
namespace {

TEST(ParallelFor, EveryNumberOnce) {
    for (index n : {0, 1, 2, 7, 64, 1000})
        for (int threads : {-1, 0, 1, 2, 3, 8, 40})
            for (index grain : {0, 1, 3, 64, 5000}) {
                std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
                std::atomic<int> strange = 0;
                parallel_for(n, threads, grain, [&](index i, int worker) {
                    if (i < 0 || i >= n || worker < 0 || worker >= std::max(1, threads)) {
                        ++strange;
                        return;
                    }
                    ++calls[static_cast<std::size_t>(i)];
                });
                EXPECT_EQ(strange, 0);
                for (auto const& c : calls)
                    ASSERT_EQ(c, 1) << n << " numbers, " << threads << " threads, grain " << grain;
            }
}

TEST(ParallelFor, AWorkerIsOneThreadAtATime) {
    // Each worker has a place of its own; two at once in one place would lose counts.
    std::vector<index> sums(6);
    for (int round = 0; round < 200; ++round)
        parallel_for(500, 6, 1,
                     [&](index i, int worker) { sums[static_cast<std::size_t>(worker)] += i; });
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), index{0}), 200 * (499 * 500 / 2));
}

TEST(ParallelFor, UsesTheThreadsItMay) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::atomic<int> there = 0;
    // Nobody goes on before all three are there.
    parallel_for(3, 3, 1, [&](index, int) {
        ++there;
        while (there < 3) std::this_thread::yield();
        std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    EXPECT_EQ(threads.size(), 3u);
}

TEST(ParallelFor, InsideOfItself) {
    std::vector<std::atomic<int>> calls(40 * 30);
    std::atomic<int> elsewhere = 0;
    parallel_for(40, 4, 1, [&](index i, int) {
        auto const outer = std::this_thread::get_id();
        parallel_for(30, 4, 1, [&](index j, int worker) {
            if (worker != 0 || std::this_thread::get_id() != outer) ++elsewhere;
            ++calls[static_cast<std::size_t>(i * 30 + j)];
        });
    });
    EXPECT_EQ(elsewhere, 0);
    for (auto const& c : calls) ASSERT_EQ(c, 1);
}

TEST(ParallelFor, AnExceptionOfAnyThreadReachesTheCallerAndThePoolGoesOn) {
    for (int threads : {1, 3})
        for (int round = 0; round < 20; ++round) {
            EXPECT_THROW(parallel_for(50, threads, 1,
                                      [&](index i, int) {
                                          if (i == round) throw std::runtime_error("full");
                                      }),
                         std::runtime_error);
            std::atomic<int> calls = 0;
            parallel_for(50, threads, 1, [&](index, int) { ++calls; });
            ASSERT_EQ(calls, 50);
        }
}

TEST(ParallelFor, FromSeveralThreadsAtOnce) {
    std::atomic<index> sum = 0;
    {
        std::vector<std::jthread> callers;
        for (int t = 0; t < 4; ++t)
            callers.emplace_back([&] {
                for (int round = 0; round < 50; ++round)
                    parallel_for(100, 3, 1, [&](index i, int) { sum += i; });
            });
    }
    EXPECT_EQ(sum, 4 * 50 * (99 * 100 / 2));
}

TEST(ParallelFor, WhatWasWrittenIsSeenAfterwards) {
    for (int round = 0; round < 300; ++round) {
        std::vector<int> out(17);
        parallel_for(17, 4, 1, [&](index i, int) { out[static_cast<std::size_t>(i)] = round; });
        ASSERT_EQ(out, std::vector<int>(17, round));
    }
}

}  // namespace
}  // namespace sluice

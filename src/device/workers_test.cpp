// parallel_for: every number once, for any number of threads, nested and from several threads.
// SPDX-License-Identifier: Apache-2.0
#include "device/workers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <random>
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

TEST(ParallelFromEnds, EveryNumberOnceAndWorkerNoughtFromTheFront) {
    for (index n : {0, 1, 2, 7, 1000})
        for (int threads : {0, 1, 2, 3, 8}) {
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
            std::atomic<index> before = -1, strange = 0;
            parallel_from_ends(n, threads, [&](index i, int worker) {
                if (worker == 0 && before.exchange(i) + 1 != i) ++strange;
                ++calls[static_cast<std::size_t>(i)];
            });
            EXPECT_EQ(strange, 0) << n << " numbers, " << threads << " threads";
            for (auto const& c : calls) ASSERT_EQ(c, 1) << n << " numbers, " << threads;
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

// A long call of numbers that take a millisecond each, on a thread of its own, and its place.
class LongCall {
  public:
    explicit LongCall(index n, index grain = 1)
        : thread_([this, n, grain] {
              parallel_for(n, 2, grain, [this](index, int) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                  ++done_;
              });
          }) {
        while (done_ < 5) std::this_thread::yield();
    }
    index done() const { return done_; }
    void join() { thread_.join(); }

  private:
    std::atomic<index> done_ = 0;
    std::jthread thread_;
};

TEST(ParallelFor, AShortCallGoesBetweenTheNumbersOfALongOne) {
    for (index grain : {1, 250}) {
        LongCall call(1000, grain);
        std::atomic<index> sum = 0;
        for (int round = 0; round < 5; ++round)
            parallel_for(10, 2, 1, [&](index i, int) { sum += i; });
        index const then = call.done();
        call.join();
        EXPECT_EQ(sum, 5 * 45);
        EXPECT_LT(then, 800) << "of 1000, grain " << grain;
        EXPECT_EQ(call.done(), 1000);
    }
}

TEST(ParallelFor, NobodyRunsWhileAnotherHasItsTurn) {
    LongCall call(600);
    bool alone = true;
    for (int round = 0; round < 3; ++round) {
        std::atomic<index> first = -1;
        parallel_for(4, 2, 1, [&](index, int) {
            index const now = call.done();
            index nobody = -1;
            first.compare_exchange_strong(nobody, now);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (call.done() != first) alone = false;
        });
    }
    call.join();
    EXPECT_TRUE(alone);
}

TEST(ParallelFor, ThreeLongCallsShareAndAllEnd) {
    std::vector<index> order;  // who ran each number
    std::mutex mutex;
    {
        std::vector<std::jthread> callers;
        for (int t = 0; t < 3; ++t)
            callers.emplace_back([&, t] {
                index last = -1;
                parallel_for(150, 2, 1, [&, t](index i, int worker) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    std::lock_guard lock(mutex);
                    order.push_back(t);
                    if (worker != 0) return;
                    EXPECT_GT(i, last) << "handed out in ascending order";
                    last = i;
                });
            });
    }
    ASSERT_EQ(order.size(), 450u);
    std::size_t changes = 0;
    for (std::size_t i = 1; i < order.size(); ++i) changes += order[i] != order[i - 1];
    EXPECT_GT(changes, 5u) << "one after the other";
}

TEST(ParallelFor, AnExceptionAfterSeveralTurnsReachesItsCallerAlone) {
    for (index grain : {1, 50}) {
        LongCall call(400);
        std::atomic<index> others = 0;
        std::jthread const quiet([&] {
            parallel_for(100, 2, 1, [&](index, int) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                ++others;
            });
        });
        EXPECT_THROW(parallel_for(200, 2, grain,
                                  [&](index i, int) {
                                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                      if (i == 90) throw std::runtime_error("full");
                                  }),
                     std::runtime_error);
        call.join();
        EXPECT_EQ(call.done(), 400);
        while (others < 100) std::this_thread::yield();
    }
}

// Python's multiprocessing forks a process whose threads have computed.
TEST(ParallelFor, ForkedProcessesHaveThreadsOfTheirOwn) {
    auto const sum = [] {
        std::atomic<index> all = 0;
        parallel_for(1000, 3, 1, [&](index i, int) { all += i; });
        return all.load();
    };
    ASSERT_EQ(sum(), 499500);
    pid_t const child = fork();
    if (child == 0) {
        alarm(20);  // for a process that hangs
        _exit(sum() == 499500 ? 7 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_EQ(sum(), 499500);
}

// Calls of all lengths, grains and numbers of threads, cut into turns, nested and failing.
TEST(ParallelFor, ManyCallersForAWhile) {
    std::atomic<int> wrong = 0;
    auto const caller = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int round = 0; round < 12; ++round) {
            auto const n = static_cast<index>(random() % 300), at = n / 2;
            int const threads = 2 + static_cast<int>(random() % 4);
            auto const grain = static_cast<index>(1 + random() % 40);
            bool const fails = random() % 4 == 0 && n > 0;
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
            try {
                parallel_for(n, threads, grain, [&](index i, int worker) {
                    if (worker < 0 || worker >= threads) ++wrong;
                    ++calls[static_cast<std::size_t>(i)];
                    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
                    if (i % 50 == 0)
                        parallel_for(3, 2, 1,
                                     [&](index, int inner) { wrong += inner < 0 || inner > 1; });
                    if (fails && i == at) throw std::runtime_error("full");
                });
                if (fails) ++wrong;
            } catch (std::runtime_error const&) {
                if (!fails) ++wrong;
            }
            for (auto const& c : calls) wrong += c > 1 || (!fails && c != 1);
        }
    };
    {
        std::vector<std::jthread> callers;
        for (unsigned t = 0; t < 5; ++t) callers.emplace_back(caller, t);
    }
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace sluice

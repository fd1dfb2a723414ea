// A source without an end: its snapshots are folds over what has come, until somebody says stop.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "fold/numbers_test.h"

namespace sluice::fold {
namespace {

using test::List;
using test::Numbers;
using test::Sum;

template <class A>
auto fold_of_prefix(Numbers source, index groups) {
    source.count = groups * source.per_group;
    return fold(source, A{}, {1}).value();
}

template <class A>
void snapshots_are_folds(Numbers const& source, int threads) {
    A const analysis;
    Folding<A> folding(analysis, source);
    std::vector<Snapshot<A>> seen;
    auto const look = [&](index items) {
        if (items < 400 * std::ssize(seen)) return true;
        // A worker that others keep from its group holds the merging up for a while.
        auto now = folding.snapshot();
        if (seen.empty() || now.groups > seen.back().groups) seen.push_back(std::move(now));
        return seen.size() < 6;
    };
    auto const status = fold_into(folding, source, analysis, {threads, look});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::cancelled);
    seen.push_back(folding.snapshot());
    EXPECT_GT(seen.back().groups, seen.front().groups);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].answer, fold_of_prefix<A>(source, seen[i].groups));
        EXPECT_GE(seen[i].groups, i > 0 ? seen[i - 1].groups : 0);
    }
    EXPECT_FALSE(std::move(folding).finish()) << "an answer to what has no end";
}

TEST(Endless, SnapshotsAreFoldsOverThePrefix) {
    for (int threads : {1, 2, 3, 7}) {
        snapshots_are_folds<Sum>({}, threads);
        snapshots_are_folds<List>({}, threads);
    }
}

TEST(Endless, SnapshotsFromAnotherThread) {
    Numbers const source;
    Sum const sum;
    Folding<Sum> folding(sum, source);
    std::vector<Snapshot<Sum>> seen;
    std::atomic<bool> enough = false;
    {
        std::jthread const watcher([&] {
            while (seen.size() < 12) {
                seen.push_back(folding.snapshot());
                std::this_thread::yield();
            }
            enough = true;
        });
        EXPECT_FALSE(fold_into(folding, source, sum, {3, [&](index) { return !enough; }}));
    }
    for (auto const& s : seen) ASSERT_EQ(s.answer, fold_of_prefix<Sum>(source, s.groups));
}

// A run hands out its numbers in rounds; the end of one must not be the end of all.
TEST(Endless, GoesOnForManyGroups) {
    Numbers const source{.per_group = 1};
    Sum const sum;
    Folding<Sum> folding(sum, source);
    constexpr index many = 150'000;
    // On one thread, as no group is then left behind when the run stops.
    auto const status =
        fold_into(folding, source, sum, {1, [](index items) { return items < many; }});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::cancelled);
    auto const last = folding.snapshot();
    EXPECT_EQ(last.groups, many);
    EXPECT_EQ(last.answer, fold_of_prefix<Sum>(source, last.groups));
}

}  // namespace
}  // namespace sluice::fold

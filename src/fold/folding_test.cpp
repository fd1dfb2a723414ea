// Folding: whoever brings the groups and when, the answer is that of one run from first to last.
// SPDX-License-Identifier: Apache-2.0
#include "fold/folding.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "fold/fold_in_order.h"
#include "fold/numbers_test.h"

namespace sluice::fold {
namespace {

using test::List;
using test::Numbers;
using test::Sum;

// Group by group, as one after the other would do it.
double sum_by_hand(Numbers const& source) {
    double total = 0;
    for (index g = 0; g < source.groups(); ++g) {
        double sum = 0;
        for (index i = source.group(g).first; i < source.group(g).last; ++i)
            sum += test::number_at(i);
        total += sum;
    }
    return total;
}

TEST(Folding, OrderOfArrivalDoesNotShow) {
    Numbers const source{.count = 1000};
    Sum const sum;
    Part<Sum> const part = fold_part(source, sum, {0, source.groups()}).value();
    double const expected = sum_by_hand(source);
    std::vector<std::size_t> order(part.groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 random(3);
    bool another = false;
    for (int round = 0; round < 20; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        Folding<Sum> folding(sum, source);
        double as_they_come = 0;
        for (std::size_t g : order) {
            ASSERT_TRUE(folding.add(static_cast<index>(g), part.groups[g]));
            as_they_come += part.groups[g];
        }
        EXPECT_EQ(std::move(folding).finish().value(), expected);
        another = another || as_they_come != expected;
    }
    EXPECT_TRUE(another) << "these numbers cannot tell orders apart";
}

TEST(Folding, OneThreadOrMany) {
    for (index count : {0, 1, 6, 7, 8, 1000})
        for (index per_read : {1, 3, 100}) {
            Numbers const source{.count = count, .per_read = per_read};
            for (int threads : {1, 2, 3, 7}) {
                EXPECT_EQ(fold(source, Sum{}, {threads}).value(), sum_by_hand(source));
                EXPECT_EQ(std::ssize(fold(source, List{}, {threads}).value()), count);
            }
        }
}

TEST(Folding, PartsOfAnySizeMakeTheWhole) {
    Numbers const source{.count = 500, .per_group = 6};
    Sum const sum;
    for (index step : {1, 5, 40, 84}) {
        Folding<Sum> folding(sum, source);
        for (index g = (source.groups() - 1) / step * step; g >= 0; g -= step) {
            auto part = fold_part(source, sum, {g, std::min(g + step, source.groups())}, {3});
            ASSERT_TRUE(part);
            ASSERT_TRUE(add_part(folding, std::move(*part)));
        }
        EXPECT_EQ(std::move(folding).finish().value(), sum_by_hand(source));
    }
}

TEST(Folding, MergedGroupsDoNotOverlap) {
    Numbers const numbers{.count = 70};  // ten groups
    Sum const sum;
    Folding<Sum> folding(sum, numbers);
    ASSERT_TRUE(folding.add(Range{4, 7}, 1.0));
    EXPECT_FALSE(folding.add(Range{3, 5}, 1.0));
    EXPECT_FALSE(folding.add(Range{6, 8}, 1.0));
    EXPECT_FALSE(folding.add(5, 1.0));
    EXPECT_FALSE(folding.add(Range{8, 11}, 1.0));
    EXPECT_FALSE(folding.add(Range{8, 8}, 1.0));
    ASSERT_TRUE(folding.add(Range{7, 10}, 2.0));
    ASSERT_TRUE(folding.add(Range{0, 4}, 4.0));
    EXPECT_FALSE(folding.add(2, 1.0));
    EXPECT_EQ(std::move(folding).finish().value(), 7.0);
}

TEST(Folding, AGroupCountsOnce) {
    Numbers const source{.count = 30};
    Sum const sum;
    Folding<Sum> folding(sum, source);
    ASSERT_TRUE(folding.add(0, 1.0));
    ASSERT_TRUE(folding.add(3, 1.0));
    for (index again : {0, 3}) {
        auto const status = folding.add(again, 1.0);
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find("twice"), std::string::npos);
    }
    for (index none : {-1, 5, 6}) EXPECT_FALSE(folding.add(none, 1.0)) << none;
    EXPECT_EQ(folding.snapshot().answer, 1.0);
}

TEST(Folding, AMissingGroupIsAnErrorWithItsNumber) {
    Numbers const source{.count = 30};
    Sum const sum;
    Folding<Sum> folding(sum, source);
    for (index g : {0, 1, 3, 4}) ASSERT_TRUE(folding.add(g, 1.0));
    EXPECT_EQ(folding.snapshot().groups, 2);
    auto const answer = std::move(folding).finish();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Code::incomplete);
    EXPECT_NE(answer.error().message.find("group 2 of 5"), std::string::npos);
}

TEST(Folding, AnErrorOfAReaderEndsTheRun) {
    Numbers const source{.count = 3000, .bad = 1234};
    for (int threads : {1, 3}) {
        auto const answer = fold(source, Sum{}, {threads});
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().message, "a bad number");
    }
    EXPECT_TRUE(fold_part(source, Sum{}, {0, 1234 / 7}));
    EXPECT_FALSE(fold_part(source, Sum{}, {1234 / 7, 1234 / 7 + 1}));
}

TEST(Folding, GroupsAreTakenInTheirOrder) {
    Numbers const source{.count = 5000};
    for (int threads : {1, 3, 8}) {
        std::vector<double> seen;
        std::vector<index> groups;
        ASSERT_TRUE(fold_in_order(source, List{}, {threads}, [&](index group, auto list) -> Status {
            groups.push_back(group);
            seen.insert(seen.end(), list.begin(), list.end());
            return {};
        }));
        std::vector<index> order(static_cast<std::size_t>(source.groups()));
        std::iota(order.begin(), order.end(), 0);
        EXPECT_EQ(groups, order);
        EXPECT_EQ(seen, fold(source, List{}).value());
    }
}

// The first group takes long: of the others only some are made meanwhile.
struct SlowFirst : Sum {
    std::atomic<int>* made;
    Partial begin(Range items) const {
        ++*made;
        if (items.first == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        return 0;
    }
};

TEST(Folding, GroupsThatWaitForTheirTurnAreFew) {
    Numbers const source{.count = 70000};
    std::atomic<int> made = 0;
    int at_first = 0;
    ASSERT_TRUE(fold_in_order(source, SlowFirst{{}, &made}, {3}, [&](index group, double) {
        if (group == 0) at_first = made;
        return Status{};
    }));
    EXPECT_EQ(made, 10000);
    EXPECT_LE(at_first, 12 + 3);
}

TEST(Folding, AStoppedRunDoesNotWaitForGroups) {
    Numbers const source{.count = 70000};
    std::atomic<int> made = 0;
    Status const end = fold_in_order(source, SlowFirst{{}, &made},
                                     {.threads = 3, .progress = [](index) { return false; }},
                                     [&](index, double) { return Status{}; });
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, Code::cancelled);
}

TEST(Folding, AnErrorOfWhoTakesEndsTheRun) {
    Numbers const source{.count = 5000};
    for (int threads : {1, 3}) {
        index taken = 0;
        Status const end =
            fold_in_order(source, Sum{}, {threads}, [&](index group, double) -> Status {
                ++taken;
                if (group == 20) return Error{Code::io, "a full disk"};
                return {};
            });
        ASSERT_FALSE(end);
        EXPECT_EQ(end.error().message, "a full disk");
        EXPECT_EQ(taken, 21);
        EXPECT_FALSE(fold_in_order(Numbers{.count = 5000, .bad = 77}, Sum{}, {threads},
                                   [](index, double) { return Status{}; }));
    }
}

TEST(Folding, APartLiesInItsSource) {
    Numbers const source{.count = 30};
    for (Range range : {Range{-1, 2}, {3, 2}, {0, 6}, {0, endless}})
        EXPECT_FALSE(fold_part(source, Sum{}, range)) << range.first << " " << range.last;
    EXPECT_FALSE(fold_part(Numbers{}, Sum{}, {0, endless}));
    EXPECT_TRUE(fold_part(source, Sum{}, {2, 2}).value().groups.empty());
}

// Not numbers at all: what a slide would fold are rectangles.
struct Rect {
    index left, top, right, bottom;
    bool operator==(Rect const&) const = default;
};

struct Tiles {
    using Item = Rect;
    std::vector<Rect> const& all;
    struct Reader {
        std::vector<Rect> const& all;
        Result<Batch<Rect>> read(Range items) const {
            return Batch<Rect>{std::span(all).subspan(static_cast<std::size_t>(items.first),
                                                      static_cast<std::size_t>(items.count())),
                               items.last};
        }
    };
    index groups() const { return (std::ssize(all) + 3) / 4; }
    Range group(index g) const { return {4 * g, std::min(4 * g + 4, std::ssize(all))}; }
    Reader reader(int) const { return {all}; }
    void retire(Reader const&) const {}
};

struct Bounds {
    using Item = Rect;
    using Partial = Rect;
    using Result = Rect;
    Partial begin(Range) const { return {endless, endless, -endless, -endless}; }
    void add(Partial& p, std::span<Rect const> some) const {
        for (Rect const& r : some) merge(p, r);
    }
    void merge(Partial& a, Partial const& b) const {
        a = {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
             std::max(a.bottom, b.bottom)};
    }
    Result finish(Partial p) const { return p; }
};

TEST(Folding, OfTilesOfASlide) {
    std::vector<Rect> all;
    for (index i = 0; i < 101; ++i) all.push_back({i * 37 % 101, i, i * 37 % 101 + 5, i + 3});
    for (int threads : {1, 4})
        EXPECT_EQ(fold(Tiles{all}, Bounds{}, {threads}).value(), (Rect{0, 0, 105, 103}));
}

}  // namespace
}  // namespace sluice::fold

// fold(): partial results are merged in scan order for any number of threads, in memory and from
// files; and errors and a wish to stop end it.
// SPDX-License-Identifier: Apache-2.0
#include "scan/fold.h"

#include <gtest/gtest.h>

#include <atomic>

#include "support/memory_dataset.h"

namespace sluice::fold {
namespace {

using testing_support::MemorySource;

// Its answer is the order itself: no other order of adding and merging gives it.
struct Order {
    using Item = Unit;
    using Partial = std::vector<index>;
    using Result = std::vector<index>;
    index most = 1;  // units that an add() may get

    Partial begin(Range) const { return {}; }
    void add(Partial& p, std::span<Unit const> units) const {
        EXPECT_GE(std::ssize(units), 1);
        EXPECT_LE(std::ssize(units), most);
        for (Unit const& u : units)
            for (index f = 0; f < u.frames; ++f) p.push_back(u.first_frame + f);
    }
    void merge(Partial& a, Partial const& b) const { a.insert(a.end(), b.begin(), b.end()); }
    Result finish(Partial p) const { return p; }
};

Dataset dataset(index rows, index cols) {
    return testing_support::make_dataset(testing_support::random_counts(rows, cols, 16, 16, 31),
                                         DType::u16, Encoding::bitshuffle_lz4);
}

Scan loaded(Dataset d, Residency residency, Layout layout = Layout::planes) {
    LoadOptions o;
    o.residency = residency, o.layout = layout;
    auto scan = Scan::load(std::move(d), o);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

TEST(Fold, EveryFrameOnceAndInOrder) {
    for (auto const& [rows, cols] :
         {std::pair<index, index>{1, 1}, {3, 5}, {4, 4}, {1, 17}, {40, 61}})
        for (Residency residency : {Residency::memory, Residency::stream})
            for (Layout layout : {Layout::planes, Layout::lines, Layout::dense}) {
                if (layout == Layout::lines && residency == Residency::stream) continue;
                Scan const scan = loaded(dataset(rows, cols), residency, layout);
                std::vector<index> expected(static_cast<std::size_t>(rows * cols));
                for (std::size_t i = 0; i < expected.size(); ++i)
                    expected[i] = static_cast<index>(i);
                for (int threads : {1, 2, 7})
                    for (index batch : {1, 15}) {
                        FoldOptions o;
                        o.device = Device::cpu(threads);
                        o.batch = batch;
                        EXPECT_EQ(fold(scan, Order{batch}, o).value(), expected)
                            << rows << "x" << cols << ", " << threads << " threads, batch "
                            << batch;
                    }
            }
}

TEST(Fold, LeavesOutTheUnitsNobodyAskedFor) {
    for (Residency residency : {Residency::memory, Residency::stream}) {
        Scan const scan = loaded(dataset(20, 33), residency);
        FoldOptions o;
        o.device = Device::cpu(3);
        o.batch = 4;
        o.skip.assign(static_cast<std::size_t>(scan.plan().tiles()), 1);
        o.skip[3] = o.skip[4] = o.skip[41] = 0;
        std::vector<index> expected;
        for (index f = 48; f < 80; ++f) expected.push_back(f);
        for (index f = 41 * 16; f < 660; ++f) expected.push_back(f);
        EXPECT_EQ(fold(scan, Order{4}, o).value(), expected);
    }
}

TEST(Fold, DamageWhileStreamingIsAnErrorWithItsPlace) {
    Dataset d = dataset(30, 31);
    auto& source = const_cast<MemorySource&>(static_cast<MemorySource const&>(*d.source));
    Scan const scan = loaded(d, Residency::stream);
    std::size_t const bad = 777;
    std::fill(source.memory[bad].begin() + 16, source.memory[bad].end(), std::byte{0xff});
    source.frames[bad].at = 5000;
    for (int threads : {1, 4}) {
        FoldOptions o;
        o.device = Device::cpu(threads);
        auto const result = fold(scan, Order{}, o);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Code::corrupt);
        EXPECT_EQ(result.error().file, "memory");
        EXPECT_GE(result.error().at.value_or(0), 5000u);
    }
}

TEST(Fold, ProgressGrowsToTheEndAndCanStopIt) {
    Scan const scan = loaded(dataset(30, 31), Residency::stream);
    FoldOptions o;
    o.device = Device::cpu(3);
    std::uint64_t last = 0, whole = 0;
    bool grows = true;
    o.progress = [&](std::uint64_t done, std::uint64_t total) {
        grows = grows && done >= last && done <= total;
        last = done, whole = total;
        return true;
    };
    ASSERT_TRUE(fold(scan, Order{}, o));
    EXPECT_TRUE(grows);
    EXPECT_EQ(last, whole);
    EXPECT_EQ(whole, scan.dataset().source->stored_bytes());
    int calls = 0;
    o.progress = [&](std::uint64_t, std::uint64_t) { return ++calls < 3; };
    auto const stopped = fold(scan, Order{}, o);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, Code::cancelled);
    EXPECT_EQ(calls, 3) << "called again after it had said stop";
}

TEST(Fold, TellsWhatStreamingMet) {
    testing_support::Counts c = testing_support::random_counts(5, 7, 16, 16, 33);
    c.at(17, 3, 3) = 65535;
    Dataset d = testing_support::make_dataset(c, DType::u16, Encoding::bitshuffle_lz4);
    d.sentinel = true;
    Scan const scan = loaded(d, Residency::stream);
    for (int threads : {1, 5}) {
        store::Tally tally;
        FoldOptions o;
        o.device = Device::cpu(threads);
        o.tally = &tally;
        ASSERT_TRUE(fold(scan, Order{}, o));
        EXPECT_EQ(tally.sentinels, 1u);
    }
}

}  // namespace
}  // namespace sluice::fold

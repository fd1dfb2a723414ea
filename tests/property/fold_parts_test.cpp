// Every analysis of a scan: one run gives the bits of parts that were packed, sent, unpacked and
// merged in any order, on any number of threads, in memory and from files.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "property/scan_analyses.h"
#include "support/memory_dataset.h"

namespace sluice::stem4d {
namespace {

using fold::Folding;
using fold::FoldOptions;
using fold::Part;
using fold::ScanUnits;

struct Whole {
    std::string name;
    std::vector<double> numbers;
};

// One run, and two other ways to the same bits.
struct OneRunAndParts {
    ScanUnits const& source;
    std::vector<Whole>& wholes;

    template <class A>
    void operator()(A const& analysis) const {
        auto const whole = numbers_of(fold::fold(source, analysis).value());
        ASSERT_FALSE(whole.empty());
        for (int threads : {1, 2, 3, 7})
            EXPECT_EQ(numbers_of(fold::fold(source, analysis, {threads}).value()), whole);
        EXPECT_EQ(numbers_of(by_parts(analysis)), whole) << A::name;
        wholes.push_back({std::string(A::name), whole});
    }
    template <class A>
    typename A::Result by_parts(A const& analysis) const {
        index const n = source.groups();
        Folding<A> folding(analysis, source);
        int threads = 1;
        // The last part comes first, and one has no groups.
        for (fold::Range groups :
             {fold::Range{n / 2, n}, {0, 1}, {n / 3, n / 2}, {n / 3, n / 3}, {1, n / 3}}) {
            auto const part = fold::fold_part(source, analysis, groups, {threads++}).value();
            auto const bytes = fold::pack(source, analysis, part);
            auto again = fold::unpack(source, analysis, bytes);
            EXPECT_TRUE(again) << again.error().text();
            EXPECT_TRUE(fold::add_part(folding, std::move(*again)));
        }
        return std::move(folding).finish().value();
    }
};

Dataset dataset_of(DType dtype) {
    testing_support::Counts counts = testing_support::random_counts(40, 61, 20, 17, 61);
    // Fractions of all sizes: the order of addition shows in their sums.
    if (dtype == DType::f32)
        for (std::size_t i = 0; i < counts.values.size(); ++i)
            counts.values[i] *= std::ldexp(1 + 1.0 / static_cast<double>(1 + i % 97),
                                           static_cast<int>(i % 41) - 20);
    return testing_support::make_dataset(counts, dtype, Encoding::values);
}

TEST(FoldParts, AreTheWholeWhereverUnitsComeFrom) {
    for (auto const& [dtype, layout] : {std::pair{DType::u16, Layout::planes},
                                        {DType::u16, Layout::dense},
                                        {DType::f32, Layout::dense}}) {
        std::vector<Whole> in_memory, streamed;
        for (Residency residency : {Residency::memory, Residency::stream}) {
            LoadOptions load;
            load.layout = layout, load.residency = residency;
            Scan const scan = Scan::load(dataset_of(dtype), load).value();
            auto& wholes = residency == Residency::memory ? in_memory : streamed;
            for (index batch : {1, 15}) {
                FoldOptions options;
                options.batch = batch;
                ScanUnits const source(scan, options);
                ASSERT_GT(source.groups(), 10);
                for_each_analysis(scan, OneRunAndParts{source, wholes});
            }
        }
        ASSERT_EQ(in_memory.size(), layout == Layout::planes ? 12u : 8u);
        ASSERT_EQ(in_memory.size(), streamed.size());
        for (std::size_t i = 0; i < in_memory.size(); ++i)
            EXPECT_EQ(in_memory[i].numbers, streamed[i].numbers) << in_memory[i].name;
    }
}

// A part of one analysis is none of another, nor of another scan.
TEST(FoldParts, OfAnotherFoldAreRefused) {
    Scan const scan = Scan::load(dataset_of(DType::u16)).value();
    FoldOptions const options;
    ScanUnits const source(scan, options);
    Analyses const all(scan);
    auto const bytes =
        fold::pack(source, all.sums(), fold::fold_part(source, all.sums(), {0, 3}).value());
    ASSERT_TRUE(fold::unpack(source, all.sums(), bytes));
    EXPECT_FALSE(fold::unpack(source, all.moments(), bytes));
    EXPECT_FALSE(fold::unpack(source, all.stats(), bytes));
    SumFrames const sums = all.sums();
    SumFrames const fewer{sums.detectors.first(1), sums.device, sums.frames};
    EXPECT_FALSE(fold::unpack(source, fewer, bytes));
    LoadOptions half;
    half.scan_region = Region{0, 0, 20, 61};
    Scan const smaller = Scan::load(dataset_of(DType::u16), half).value();
    Analyses const of_smaller(smaller);
    EXPECT_FALSE(fold::unpack(ScanUnits(smaller, options), of_smaller.sums(), bytes));
}

}  // namespace
}  // namespace sluice::stem4d

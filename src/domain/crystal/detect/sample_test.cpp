// Tests of what a sample of a scan is made of.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/sample.h"

#include <gtest/gtest.h>

#include <set>

#include "sluice/memory_dataset.h"

namespace sluice::crystal {
namespace {

// A scan whose frames hold two pixels of one count.
Sample sample_of(index rows, index cols) {
    std::vector<std::uint8_t> const values(static_cast<std::size_t>(2 * rows * cols), 1);
    auto dataset = from_memory({values.data(), DType::u8, {rows, cols, 1, 2}, {}, {}, "memory"});
    EXPECT_TRUE(dataset) << dataset.error().text();
    auto scan = Scan::load(*dataset, {});
    EXPECT_TRUE(scan) << scan.error().text();
    auto sample = read_sample(*scan, {});
    EXPECT_TRUE(sample) << sample.error().text();
    return std::move(sample).value();
}

// A scan of 256 columns and a sample of 256 frames: equal steps would give one column.
TEST(Sample, IsSpreadOverRowsAndColumns) {
    for (auto const& [rows, cols] : {std::pair<index, index>{256, 256},
                                     {128, 512},
                                     {300, 128},
                                     {64, 400},
                                     {512, 64},
                                     {1, 4096}}) {
        Sample const sample = sample_of(rows, cols);
        ASSERT_EQ(sample.frames.size(), 256u);
        EXPECT_TRUE(std::ranges::is_sorted(sample.frames));
        std::set<index> r, c;
        for (index const f : sample.frames) r.insert(f / cols), c.insert(f % cols);
        EXPECT_EQ(std::set<index>(sample.frames.begin(), sample.frames.end()).size(), 256u);
        // As many as chance would give, and more: 1 - 1 / e of them.
        EXPECT_GT(static_cast<double>(r.size()),
                  0.63 * static_cast<double>(std::min<index>(rows, 256)));
        EXPECT_GT(static_cast<double>(c.size()),
                  0.63 * static_cast<double>(std::min<index>(cols, 256)));
    }
}

TEST(Sample, IsAllOfASmallScan) {
    EXPECT_EQ(sample_of(5, 7).frames.size(), 35u);
}

}  // namespace
}  // namespace sluice::crystal

// Boxes, blocks, axes and the frames made of them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "format/boxes/block_reader.h"
#include "format/boxes/box_frames.h"

namespace sluice::boxes {
namespace {

/// Blocks of 2-byte numbers, each the C-order number of its element; some were never written.
class Counting final : public BlockLoader {
  public:
    Counting(BlockGrid grid, std::vector<std::uint64_t> absent)
        : grid_(std::move(grid)), absent_(std::move(absent)) {}
    Status load(std::uint64_t, Sides const& position, std::span<std::byte> out) const override {
        ++loads;
        auto* const v = reinterpret_cast<std::uint16_t*>(out.data());
        std::size_t const n = out.size() / 2;
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t left = i;
            std::uint64_t number = 0, step = 1;
            for (std::size_t d = position.size(); d-- > 0;) {
                number += (position[d] * grid_.block[d] + left % grid_.block[d]) * step;
                step *= grid_.extent[d];
                left /= grid_.block[d];
            }
            v[i] = static_cast<std::uint16_t>(number);
        }
        return {};
    }
    bool present(std::uint64_t n) const override { return std::ranges::count(absent_, n) == 0; }
    std::uint64_t present_blocks() const override {
        return *product_of(grid_.counts(), 1000) - absent_.size();
    }
    std::uint64_t stored_bytes() const override { return 0; }
    static inline std::atomic<int> loads = 0;

  private:
    BlockGrid grid_;
    std::vector<std::uint64_t> absent_;
};

std::shared_ptr<BoxReader const> counting(Sides extent, Sides block,
                                          std::vector<std::uint64_t> absent = {},
                                          std::uint64_t kept = 4) {
    BlockGrid const grid{std::move(extent), std::move(block), 2};
    std::vector<std::byte> const fill{std::byte{0xaa}, std::byte{0xbb}};
    auto cache = kept > 0 ? std::make_shared<BlockCache>(kept * *grid.block_bytes()) : nullptr;
    if (cache) cache->grow(kept * *grid.block_bytes());
    return std::make_shared<BlockReader const>(
        grid, std::make_unique<Counting>(grid, std::move(absent)), fill, std::move(cache));
}

std::vector<std::uint16_t> read_frame(BoxFrames const& frames, index f) {
    EncodedFrame e;
    FetchScratch scratch;
    EXPECT_TRUE(frames.fetch(f, {&e, 1}, scratch));
    std::vector<std::uint16_t> v(e.bytes.size() / 2);
    std::memcpy(v.data(), e.bytes.data(), e.bytes.size());
    return v;
}

TEST(Boxes, EveryOrderOfAxesGivesTheSameFrames) {
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    Sides const size{3, 4, 5, 6};  // of scan rows and columns, detector rows and columns
    do {
        // order[k] is what dimension k is; its inverse says where each role stands.
        Sides extent(4), block;
        std::array<std::size_t, 4> at{};
        for (std::size_t k = 0; k < 4; ++k) {
            extent[k] = size[order[k]];
            at[order[k]] = k;
        }
        for (std::uint64_t n : extent) block.push_back(n / 2);
        FrameArray const array{
            extent, {{at[0], at[1]}, at[2], at[3]}, {StoredType::Kind::unsigned_int, 2}, "f"};
        EXPECT_EQ(array.frames(), 12);
        for (std::size_t kept : {0, 1, 7}) {
            BoxFrames const frames(array, counting(extent, block, {}, kept), {0, 1, 12}, {});
            for (index f = 0; f < 12; ++f) {
                auto const v = read_frame(frames, f);
                std::size_t i = 0;
                for (std::uint64_t r = 0; r < 5; ++r)
                    for (std::uint64_t c = 0; c < 6; ++c) {
                        std::uint64_t const role[] = {static_cast<std::uint64_t>(f) / 4,
                                                      static_cast<std::uint64_t>(f) % 4, r, c};
                        std::uint64_t number = 0;
                        for (std::size_t k = 0; k < 4; ++k)
                            number = number * extent[k] + role[order[k]];
                        ASSERT_EQ(v[i++], number) << f << " " << r << " " << c;
                    }
            }
        }
    } while (std::ranges::next_permutation(order).found);
}

TEST(Boxes, WhatWasNeverWrittenIsTheFillValueAndKnown) {
    // Frames of 4x6 in four blocks of 2x3, three frames to a block; block 5 is of frames 3 to 5.
    Sides const extent{7, 4, 6}, block{3, 2, 3};
    auto const reader = counting(extent, block, {5});
    FrameArray const array{extent, usual_axes(3), {StoredType::Kind::unsigned_int, 2}, "f"};
    auto const missing = missing_frames(array, *reader, {0, 1, 7});
    ASSERT_TRUE(missing);
    EXPECT_EQ(*missing, (std::vector<FrameRun>{{3, 3}}));
    BoxFrames const frames(array, reader, {0, 1, 7}, *missing);
    for (index f = 0; f < 7; ++f) {
        auto const v = read_frame(frames, f);
        for (std::size_t p = 0; p < 24; ++p) {
            bool const lost = f >= 3 && f < 6 && p / 6 < 2 && p % 6 >= 3;
            ASSERT_EQ(v[p], lost ? 0xbbaa : static_cast<std::size_t>(f) * 24 + p) << f << " " << p;
        }
        EncodedFrame e;
        FetchScratch scratch;
        ASSERT_TRUE(frames.fetch(f, {&e, 1}, scratch));
        EXPECT_EQ(e.partial, f >= 3 && f < 6);
    }
    auto const every_second = missing_frames(array, *reader, {1, 2, 3});
    ASSERT_TRUE(every_second);
    EXPECT_EQ(*every_second, (std::vector<FrameRun>{{1, 2}}));
    EXPECT_EQ(*missing_frames(array, *counting(extent, block), {0, 1, 7}), std::vector<FrameRun>{});
}

TEST(Boxes, ABlockIsDecodedOnceForAllItsFrames) {
    Sides const extent{8, 4, 6}, block{8, 4, 6};
    auto const reader = counting(extent, block);
    FrameArray const array{extent, usual_axes(3), {StoredType::Kind::unsigned_int, 2}, "f"};
    BoxFrames const frames(array, reader, {0, 1, 8}, {});
    Counting::loads = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (index f = 0; f < 8; ++f) EXPECT_EQ(read_frame(frames, f)[0], f * 24);
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(Counting::loads, 1);
}

// Lines are as long as four blocks, and threads read in more blocks than that at once.
TEST(Boxes, ReadersBeyondTheEndOfALineUnpackNoBlockAgain) {
    Sides const extent{64, 64, 2, 3}, block{1, 16, 2, 3};
    FrameAxes const axes = usual_axes(4);
    std::uint64_t const bytes = 16 * 2 * 3 * 2;
    EXPECT_GE(bytes_to_keep({extent, block, 2}, axes), 32 * bytes);
    EXPECT_EQ(bytes_to_keep({extent, {1, 1, 2, 3}, 2}, axes), 0U);
    // Blocks of several lines: those of two lines stay.
    EXPECT_GE(bytes_to_keep({{8, 8192, 2, 3}, {4, 16, 2, 3}, 2}, axes), 2 * 512 * 4 * bytes);
    auto const reader =
        counting(extent, block, {}, bytes_to_keep({extent, block, 2}, axes) / bytes);
    FrameArray const array{extent, axes, {StoredType::Kind::unsigned_int, 2}, "f"};
    BoxFrames const frames(array, reader, {0, 1, 4096}, {});
    Counting::loads = 0;
    // Sixteen readers of sixteen frames each, a frame at a time in turns.
    for (index unit = 0; unit < 256; unit += 16)
        for (index f = 0; f < 16; ++f)
            for (index reader = unit; reader < unit + 16; ++reader)
                ASSERT_EQ(read_frame(frames, 16 * reader + f)[0],
                          static_cast<std::uint16_t>((16 * reader + f) * 6));
    EXPECT_EQ(Counting::loads, 256);
}

TEST(Boxes, MemoryOfBlocksIsUsedAgain) {
    BlockCache cache(0);
    std::uint64_t const one = cache.new_owner();
    int again = 0;
    for (std::uint64_t n = 0; n < 20; ++n) {
        auto const block = cache.get(one, n, 1000, [&] {
            std::vector<std::byte> bytes = cache.take(1000);
            EXPECT_EQ(bytes.size(), 1000U);
            again += bytes[7] == std::byte{0xa5};  // of any value
            std::ranges::fill(bytes, std::byte{0xa5});
            return Result<std::vector<std::byte>>(std::move(bytes));
        });
        ASSERT_TRUE(block);
        EXPECT_EQ((*block)->at(999), std::byte{0xa5});
    }
    EXPECT_EQ(again, 18);  // one block stays while the next one is made
    EXPECT_EQ(cache.take(999).size(), 999U);
}

TEST(Boxes, TheCacheForgetsWhatWasUsedLongestAgo) {
    BlockCache cache(25);
    int made = 0;
    std::uint64_t const one = cache.new_owner(), other = cache.new_owner();
    auto const get_of = [&](std::uint64_t owner, std::uint64_t n) {
        return cache.get(owner, n, 10, [&] {
            ++made;
            return Result<std::vector<std::byte>>(std::vector<std::byte>(10));
        });
    };
    auto const get = [&](std::uint64_t n) { return get_of(one, n); };
    // Two blocks stay without any room; room for all is no more than the cache was made for.
    for (std::uint64_t n : {1, 2, 1, 3, 1}) ASSERT_TRUE(get(n));
    EXPECT_EQ(made, 3);
    ASSERT_TRUE(get(2));
    EXPECT_EQ(made, 4);
    auto const fails = [] { return Result<std::vector<std::byte>>(Error{Code::corrupt, "x"}); };
    EXPECT_FALSE(cache.get(one, 9, 10, fails));
    EXPECT_TRUE(get(9));  // the next one tries again
    cache.grow(1000);
    EXPECT_EQ(cache.room(), 25u);
    made = 0;
    ASSERT_TRUE(get(9) && get(1) && get(2));
    EXPECT_EQ(made, 2);  // 1 and 2 are there
    ASSERT_TRUE(get(2) && get_of(other, 2));
    EXPECT_EQ(made, 3);  // another array's
}

TEST(Axes, AreReadAndWritten) {
    auto const a = parse_axes("detector_column,dr,sc,scan_row", 4);
    ASSERT_TRUE(a);
    EXPECT_EQ(*a, (FrameAxes{{3, 2}, 1, 0}));
    EXPECT_EQ(axes_text(*a), "detector_column,detector_row,scan_column,scan_row");
    EXPECT_EQ(*parse_axes(axes_text(usual_axes(4)), 4), usual_axes(4));
    EXPECT_EQ(*parse_axes("dr,dc,scan", 3), (FrameAxes{{2}, 0, 1}));
    for (char const* wrong : {"", "sr,sc,dr", "sr,sc,dr,dr", "sr,sc,dr,x", "sr,sc,dr,dc,scan",
                              "scan,sc,dr,dc", ",,,", "sr,sc,dr,dc,"})
        EXPECT_FALSE(parse_axes(wrong, 4)) << wrong;
    EXPECT_FALSE(parse_axes("sr,dr,dc", 3));
}

}  // namespace
}  // namespace sluice::boxes

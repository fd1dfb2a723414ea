// Datasets of the caller's arrays: where their frames are, and what they hold.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "format/frame_source.h"
#include "sluice/memory_dataset.h"

namespace sluice {
namespace {

template <class T>
std::vector<T> counting(std::size_t n) {
    std::vector<T> v(n);
    std::iota(v.begin(), v.end(), T{});
    return v;
}

template <class T>
std::vector<T> frame_of(Dataset const& d, index frame) {
    EncodedFrame f;
    FetchScratch scratch;
    EXPECT_TRUE(d.source->fetch(frame, {&f, 1}, scratch));
    EXPECT_EQ(f.encoding, Encoding::values);
    std::vector<T> out(static_cast<std::size_t>(d.pixels()));
    EXPECT_EQ(f.bytes.size(), out.size() * sizeof(T));
    std::memcpy(out.data(), f.bytes.data(), f.bytes.size());
    return out;
}

TEST(FromMemory, FramesAreReadWhereTheyAre) {
    auto const values = counting<std::uint16_t>(2 * 3 * 4 * 5);
    auto const d = from_memory({.data = values.data(), .shape = {2, 3, 4, 5}});
    ASSERT_TRUE(d) << d.error().text();
    EXPECT_EQ(d->format, "memory");
    EXPECT_EQ(d->frames, 6);
    EXPECT_EQ(d->rows, 4);
    EXPECT_EQ(d->cols, 5);
    EXPECT_TRUE(d->notes.empty());
    EncodedFrame f[2];
    FetchScratch scratch;
    ASSERT_TRUE(d->source->fetch(4, f, scratch));
    EXPECT_EQ(static_cast<void const*>(f[0].bytes.data()), values.data() + 4 * 20);
    EXPECT_EQ(static_cast<void const*>(f[1].bytes.data()), values.data() + 5 * 20);
    EXPECT_EQ(d->source->stored_bytes(), values.size() * 2);
}

TEST(FromMemory, StridesOfAnySignAndOrder) {
    // The array is [row][column][scan row][scan column], backwards along the rows.
    auto const values = counting<float>(4 * 5 * 2 * 3);
    index const s = sizeof(float);
    MemoryArray a{.data = values.data() + 3 * 30,
                  .dtype = DType::f32,
                  .shape = {2, 3, 4, 5},
                  .strides = std::array<index, 4>{3 * s, s, -30 * s, 6 * s}};
    auto const d = from_memory(a);
    ASSERT_TRUE(d);
    ASSERT_EQ(d->notes.size(), 1u);
    for (index f = 0; f < 6; ++f) {
        auto const frame = frame_of<float>(*d, f);
        for (index r = 0; r < 4; ++r)
            for (index c = 0; c < 5; ++c)
                EXPECT_EQ(frame[static_cast<std::size_t>(r * 5 + c)],
                          static_cast<float>((3 - r) * 30 + c * 6 + f));
    }
}

TEST(FromMemory, StridesOfOneElementSayNothing) {
    auto const values = counting<std::uint16_t>(2 * 3 * 4);
    MemoryArray a{.data = values.data(), .shape = {2, 3, 4, 1}};
    a.strides = std::array<index, 4>{24, 8, 2, 777};
    auto const d = from_memory(a);
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->notes.empty());
    EXPECT_EQ(frame_of<std::uint16_t>(*d, 1), (std::vector<std::uint16_t>{4, 5, 6, 7}));
    a.shape = {2, 3, 1, 4};
    a.strides = std::array<index, 4>{24, 8, -999, 2};
    auto const row = from_memory(a);
    ASSERT_TRUE(row);
    EXPECT_TRUE(row->notes.empty());
    EXPECT_EQ(frame_of<std::uint16_t>(*row, 5), (std::vector<std::uint16_t>{20, 21, 22, 23}));
    // All the same element, as NumPy broadcasts a scalar.
    a.strides = std::array<index, 4>{};
    auto const scalar = from_memory(a);
    ASSERT_TRUE(scalar);
    EXPECT_EQ(frame_of<std::uint16_t>(*scalar, 5), (std::vector<std::uint16_t>(4, 0)));
}

TEST(FromMemory, OtherTypesAreConvertedAndSaySo) {
    std::vector<std::int16_t> const values{-3, 7, 0, 32767};
    auto const d = from_memory({.data = values.data(), .dtype = DType::i16, .shape = {1, 2, 1, 2}});
    ASSERT_TRUE(d);
    EXPECT_EQ(d->dtype, DType::f32);
    EXPECT_EQ(d->notes.size(), 1u);
    EXPECT_EQ(frame_of<float>(*d, 0), (std::vector<float>{-3, 7}));
    EXPECT_EQ(frame_of<float>(*d, 1), (std::vector<float>{0, 32767}));
}

TEST(FromMemory, TheOwnerLivesAsLongAsTheDataset) {
    auto owner = std::make_shared<std::vector<std::uint8_t>>(counting<std::uint8_t>(8));
    std::weak_ptr<void const> const watch = owner;
    auto d = from_memory(
        {.data = owner->data(), .dtype = DType::u8, .shape = {1, 2, 2, 2}, .owner = owner});
    ASSERT_TRUE(d);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(frame_of<std::uint8_t>(*d, 1), (std::vector<std::uint8_t>{4, 5, 6, 7}));
    d->source.reset();
    EXPECT_TRUE(watch.expired());
}

TEST(FromMemory, WhatIsNoScanIsRefused) {
    std::uint8_t const byte = 0;
    MemoryArray a{.data = &byte, .dtype = DType::u8, .shape = {1, 1, 1, 1}};
    EXPECT_TRUE(from_memory(a));
    for (DType const t : {DType::c64, DType::c128, DType::bf16}) {
        a.dtype = t;
        EXPECT_EQ(from_memory(a).error().code, Code::unsupported) << name_of(t);
    }
    a.dtype = DType::u8;
    a.shape = {1, 0, 1, 1};
    EXPECT_EQ(from_memory(a).error().code, Code::invalid_argument);
    a.shape = {index{1} << 40, index{1} << 40, 1, 1};
    EXPECT_EQ(from_memory(a).error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice

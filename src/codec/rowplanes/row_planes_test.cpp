// Bit planes of eight rows each: their values come back, and damage is told.
// SPDX-License-Identifier: Apache-2.0
#include "codec/rowplanes/row_planes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

#include "device/isa.h"

namespace sluice::codec {
namespace {

std::vector<std::byte> counts(RowPlanesForm form, std::uint32_t most, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> out(static_cast<std::size_t>(form.pixels() * form.bytes));
    for (index i = 0; i < form.pixels(); ++i) {
        auto const value = static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
        std::memcpy(out.data() + i * form.bytes, &value, static_cast<std::size_t>(form.bytes));
    }
    return out;
}

std::vector<std::byte> swapped(std::vector<std::byte> values, int bytes) {
    for (auto at = values.begin(); at != values.end(); at += bytes) std::reverse(at, at + bytes);
    return values;
}

std::vector<std::byte> packed(std::vector<std::byte> const& values, RowPlanesForm form, bool big,
                              Isa isa) {
    std::vector<std::byte> out(form.bound());
    out.resize(pack_row_planes({values.data(), form.bytes, big}, form, isa, out.data()));
    return out;
}

std::vector<std::byte> packed_from_planes(std::vector<std::byte> const& values, RowPlanesForm form,
                                          Isa isa) {
    index const stride = form.pixels() / 8 + 3;
    std::vector<std::byte> planes(static_cast<std::size_t>(8 * form.bytes * stride));
    transpose(isa).pack(values.data(), form.bytes, form.pixels(), planes.data(), stride);
    std::vector<std::byte> out(form.bound());
    out.resize(pack_row_planes(planes.data(), stride, 8 * form.bytes, form, out.data()));
    return out;
}

/// Bit by bit from the values.
std::vector<std::byte> twin(std::vector<std::byte> const& values, RowPlanesForm form) {
    auto const value = [&](index pixel) {
        std::uint32_t v = 0;
        std::memcpy(&v, values.data() + pixel * form.bytes, static_cast<std::size_t>(form.bytes));
        return v;
    };
    std::vector<std::byte> bits(static_cast<std::size_t>(4 * form.block_rows())), planes;
    for (index r = 0; r < form.block_rows(); ++r) {
        index const first = 8 * r * form.cols;
        index const last = std::min(first + 8 * form.cols, form.pixels());
        std::uint32_t any = 0;
        for (index n = first; n < last; ++n) any |= value(n);
        std::memcpy(bits.data() + 4 * r, &any, 4);
        for (int p = 0; p < static_cast<int>(std::bit_width(any)); ++p)
            for (index n = first; n < last; n += 8) {
                unsigned byte = 0;
                for (int k = 0; k < 8; ++k) byte |= (value(n + k) >> p & 1U) << k;
                planes.push_back(static_cast<std::byte>(byte));
            }
    }
    bits.insert(bits.end(), planes.begin(), planes.end());
    return bits;
}

TEST(RowPlanes, AreThoseOfTheirTwinAndGiveTheValuesBack) {
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (int const bytes : {1, 2, 4})
            for (auto const& [rows, cols] :
                 {std::pair<index, index>{16, 24}, {13, 8}, {8, 5}, {20, 64}, {4, 6}, {1, 8}})
                for (std::uint32_t const most : {0U, 1U, 12U, 255U, 60'000U, 0xffffffffU}) {
                    RowPlanesForm const form{rows, cols, bytes};
                    auto const values = counts(form, most, 5);
                    auto const found = packed(values, form, false, isa);
                    EXPECT_EQ(found, twin(values, form)) << rows << "x" << cols;
                    EXPECT_EQ(packed(swapped(values, bytes), form, true, isa), found);
                    EXPECT_EQ(packed_from_planes(values, form, isa), found);
                    std::vector<std::byte> back(values.size());
                    ASSERT_TRUE(unpack_row_planes(found, form, isa, back));
                    EXPECT_EQ(back, values) << rows << "x" << cols << " " << name_of(isa);
                }
    }
}

TEST(RowPlanes, DamageEndsInValuesOrAnError) {
    RowPlanesForm const form{20, 16, 2};
    auto const good = packed(counts(form, 9, 1), form, false, chosen_isa());
    std::vector<std::byte> values(static_cast<std::size_t>(form.pixels() * form.bytes));
    for (std::size_t size = 0; size < good.size(); ++size) {
        std::vector<std::byte> const cut(good.begin(),
                                         good.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_FALSE(unpack_row_planes(cut, form, chosen_isa(), values)) << size;
    }
    for (std::size_t i = 0; i < 12; ++i)
        for (int bit = 0; bit < 8; ++bit) {
            std::vector<std::byte> bad = good;
            bad[i] ^= static_cast<std::byte>(1 << bit);
            bad.shrink_to_fit();
            (void)unpack_row_planes(bad, form, chosen_isa(), values);
        }
}

TEST(RowPlanes, FormsWithoutPlanesAreRefused) {
    std::vector<std::byte> values(18);
    Status const s = unpack_row_planes(values, {3, 3, 2}, chosen_isa(), values);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().message.find("3x3 pixels of 2 bytes"), std::string::npos);
}

}  // namespace
}  // namespace sluice::codec

// FramePlanes: values of either order of bytes become the planes that their twin has, value by
// value. SPDX-License-Identifier: Apache-2.0
#include "store/frame_planes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "codec/rowplanes/row_planes.h"

namespace sluice::store {
namespace {

struct Case {
    FrameGeometry geometry = {};
    PixelRules rules = {};
    std::uint32_t most = 0;       ///< counts are smaller
    std::uint32_t sometimes = 0;  ///< one of them is this
    Encoding encoding = Encoding::values;
};

std::vector<std::byte> bytes_of(Case const& c, unsigned seed) {
    std::mt19937 random(seed);
    auto const element = static_cast<std::size_t>(c.geometry.bytes());
    std::vector<std::byte> out(static_cast<std::size_t>(c.geometry.pixels()) * element);
    for (std::size_t i = 0; i < out.size(); i += element) {
        auto value = static_cast<std::uint32_t>(random()) % c.most;
        if (c.sometimes > 0 && random() % 50 == 0) value = c.sometimes;
        std::memcpy(out.data() + i, &value, element);
        if (c.encoding != Encoding::big_endian) continue;
        auto const at = out.begin() + static_cast<std::ptrdiff_t>(i);
        std::reverse(at, at + static_cast<std::ptrdiff_t>(element));
    }
    return out;
}

void compare(Case const& c, Isa isa) {
    FrameGeometry const& g = c.geometry;
    std::vector<std::byte> bytes = bytes_of(c, 3);
    std::vector<std::byte> values(bytes.size());
    if (c.encoding == Encoding::row_planes) {
        codec::RowPlanesForm const form{g.rows, g.cols, g.bytes()};
        std::vector<std::byte> packed(form.bound());
        packed.resize(codec::pack_row_planes({bytes.data(), g.bytes()}, form, isa, packed.data()));
        bytes = packed;
    }
    EncodedFrame const frame{.encoding = c.encoding, .bytes = bytes};
    Tally slow, fast;
    ASSERT_TRUE(decode_values(frame, g, c.rules, values, slow));
    index const stride = (g.pixels() + 7) / 8 + 64;
    std::vector<std::byte> planes(static_cast<std::size_t>(g.planes() * stride), std::byte{0xa5});
    FramePlanes maker(g, c.rules, isa);
    ASSERT_TRUE(maker.decode(frame, {}, fast, planes.data(), stride));
    EXPECT_EQ(fast.sentinels, slow.sentinels);
    EXPECT_EQ(fast.saturated, slow.saturated);
    for (index n = 0; n < g.pixels(); ++n) {
        std::uint32_t want = 0, found = 0;
        std::memcpy(&want, values.data() + n * g.bytes(), static_cast<std::size_t>(g.bytes()));
        for (int p = 0; p < maker.planes_of_row(n / g.cols / 8); ++p) {
            auto const byte = planes[static_cast<std::size_t>(p * stride + n / 8)];
            found |= (std::to_integer<std::uint32_t>(byte) >> (n % 8) & 1U) << p;
        }
        ASSERT_EQ(found, want) << n << " " << name_of(isa);
    }
}

TEST(FramePlanes, ValuesBecomeTheirTwinsPlanes) {
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (DType const dtype : {DType::u8, DType::u16, DType::u32})
            for (auto const& [rows, cols] :
                 {std::pair<index, index>{16, 24}, {13, 8}, {8, 5}, {7, 9}, {20, 64}})
                for (Encoding const encoding : {Encoding::values, Encoding::big_endian}) {
                    auto const ones = static_cast<std::uint32_t>(
                        ~std::uint64_t{0} >> (64 - 8 * static_cast<int>(size_of(dtype))));
                    Case c{.geometry = {rows, cols, dtype}, .most = 12, .encoding = encoding};
                    compare(c, isa);
                    c.most = ones / 2;
                    compare(c, isa);
                    c.rules.bad = {0, 9, static_cast<std::uint32_t>(rows * cols - 1)};
                    compare(c, isa);
                    c.rules.sentinel = true;
                    compare(c, isa);
                    c.sometimes = ones;
                    compare(c, isa);
                    c.rules.saturation = 100;
                    compare(c, isa);
                }
    }
}

TEST(FramePlanes, PlanesThatWereMadeBeforeArePlacedAsValuesAre) {
    for (DType const dtype : {DType::u8, DType::u16, DType::u32})
        for (auto const& [rows, cols] :
             {std::pair<index, index>{16, 24}, {13, 8}, {8, 5}, {20, 64}}) {
            Case c{.geometry = {rows, cols, dtype}, .most = 12, .encoding = Encoding::row_planes};
            compare(c, chosen_isa());
            c.rules.bad = {0, 9, static_cast<std::uint32_t>(rows * cols - 1)};
            compare(c, chosen_isa());
            c.rules.sentinel = true;
            c.sometimes = static_cast<std::uint32_t>(~std::uint64_t{0} >>
                                                     (64 - 8 * static_cast<int>(size_of(dtype))));
            compare(c, chosen_isa());
            c.rules.saturation = 100;
            compare(c, chosen_isa());
        }
}

TEST(FramePlanes, ValuesOfAnotherSizeAreRefused) {
    PixelRules const rules;
    FramePlanes maker({8, 8, DType::u16}, rules, chosen_isa());
    std::vector<std::byte> const bytes(127);
    std::vector<std::byte> planes(16 * 72);
    Tally tally;
    for (Encoding const encoding : {Encoding::values, Encoding::big_endian}) {
        Status const s =
            maker.decode({.encoding = encoding, .bytes = bytes}, {}, tally, planes.data(), 72);
        ASSERT_FALSE(s);
        EXPECT_NE(s.error().message.find("frame of 127 bytes where its shape needs 128"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace sluice::store

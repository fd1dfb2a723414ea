// Conversions of numbers, and the count of what they could not keep.
// SPDX-License-Identifier: Apache-2.0
#include "format/stored_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace sluice {
namespace {

using Kind = StoredType::Kind;

template <class T>
std::pair<std::vector<float>, Conversion> to_floats(Kind kind, std::vector<T> const& v) {
    std::vector<float> out(v.size());
    auto const c = convert_values({kind, sizeof(T)}, std::as_bytes(std::span(v)),
                                  std::as_writable_bytes(std::span(out)).data());
    return {out, c};
}

TEST(StoredType, WholeNumbersBeyond24BitsAreRoundedAndCounted) {
    auto const [a, none] = to_floats<std::int32_t>(Kind::signed_int, {0, -7, 1 << 24, -(1 << 30)});
    EXPECT_EQ(a, (std::vector<float>{0, -7, 16777216, -1073741824}));
    EXPECT_EQ(none.rounded, 0u);
    auto const [b, two] = to_floats<std::int32_t>(
        Kind::signed_int, {(1 << 24) + 1, -(1 << 24) - 1, std::numeric_limits<int>::min()});
    EXPECT_EQ(two.rounded, 2u);
    EXPECT_EQ(b[2], -2147483648.0F);
    auto const [c, one] = to_floats<std::uint64_t>(
        Kind::unsigned_int, {std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 1, 5});
    EXPECT_EQ(one.rounded, 1u);
    EXPECT_EQ(c[0], 1099511627776.0F);
    EXPECT_EQ(c[2], 5.0F);
    auto const [d, least] =
        to_floats<std::int64_t>(Kind::signed_int, {std::numeric_limits<std::int64_t>::min(), -1});
    EXPECT_EQ(least.rounded, 0u);
    EXPECT_EQ(d[0], -9223372036854775808.0F);
}

TEST(StoredType, DoublesAreRoundedAndThoseBeyondAreCounted) {
    double const most = std::numeric_limits<float>::max();
    auto const [v, c] =
        to_floats<double>(Kind::floating, {0.5, 0.1, -1e300, most, std::nan(""), INFINITY, 1e-60});
    EXPECT_EQ(v[0], 0.5F);
    EXPECT_EQ(v[1], 0.1F);
    EXPECT_EQ(v[2], -INFINITY);
    EXPECT_EQ(v[3], std::numeric_limits<float>::max());
    EXPECT_TRUE(std::isnan(v[4]));
    EXPECT_EQ(v[5], INFINITY);
    EXPECT_EQ(c.rounded, 2u);  // 0.1 and 1e-60
    EXPECT_EQ(c.beyond, 1u);
}

TEST(StoredType, BigEndianWholeNumbersAreTurnedAround) {
    for (int bytes : {1, 2, 4})
        for (std::size_t count : {0, 1, 3, 4, 5, 9, 100}) {
            auto const width = static_cast<std::size_t>(bytes);
            std::vector<std::byte> in(count * width), out(in.size()), expected;
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i * 37);
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t b = width; b-- > 0;) expected.push_back(in[i * width + b]);
            convert_values({.bytes = bytes, .big_endian = true}, in, out.data());
            EXPECT_EQ(out, expected) << bytes << " " << count;
        }
}

TEST(StoredType, HalfPrecision) {
    std::vector<std::uint16_t> const h{0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x8400};
    auto const [v, c] = to_floats<std::uint16_t>(Kind::floating, h);
    EXPECT_EQ(v, (std::vector<float>{0, 1, -2, 65504, std::ldexp(1.0F, -24), INFINITY,
                                     -std::ldexp(1.0F, -14)}));
    EXPECT_EQ(c.rounded + c.beyond, 0u);
}

TEST(StoredType, NotesAndNames) {
    EXPECT_EQ(name_of(StoredType{Kind::signed_int, 2, true}), "big-endian int16");
    EXPECT_EQ(name_of(StoredType{Kind::unsigned_int, 1, true}), "uint8");
    EXPECT_EQ(conversion_note({Kind::unsigned_int, 4}), "");
    EXPECT_EQ(conversion_note({Kind::unsigned_int, 8}),
              "the file's uint64 values are read as float32, rounded to 24 bits");
    EXPECT_EQ(conversion_note({Kind::signed_int, 2}),
              "the file's int16 values are read as float32");
    for (DType t : {DType::u8, DType::u16, DType::u32, DType::f32}) {
        EXPECT_TRUE(as_stored(*stored_type_of(t)));
        EXPECT_EQ(read_as(*stored_type_of(t)), t);
    }
}

}  // namespace
}  // namespace sluice

// Rounding of weights: the nearest number of the type, and what is said of it.
// SPDX-License-Identifier: Apache-2.0
#include "format/weights/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/bf16.h"
#include "base/half.h"

namespace sluice::weights {
namespace {

template <class T>
std::vector<std::byte> bytes_of_numbers(std::vector<T> const& v) {
    std::vector<std::byte> b(v.size() * sizeof(T));
    std::memcpy(b.data(), v.data(), b.size());
    return b;
}

// The 16 bits of each number, rounded from doubles.
std::vector<std::uint16_t> rounded_bits(std::vector<double> const& v, Element to) {
    Rounded tally;
    auto const b = rounded(bytes_of_numbers(v), Element::f64, to, "t", tally).value();
    std::vector<std::uint16_t> bits(v.size());
    std::memcpy(bits.data(), b.data(), b.size());
    return bits;
}

// No neighbour is nearer, and of two that are as near the last digit is even.
template <class T>
void expect_nearest(double value, std::uint16_t bits) {
    double const off = std::abs(static_cast<float>(T{bits}) - value);
    for (int const step : {-1, 1}) {
        auto const other = static_cast<std::uint16_t>(bits + step);
        double const neighbour = static_cast<float>(T{other});
        if (!std::isfinite(neighbour)) continue;
        EXPECT_LE(off, std::abs(neighbour - value)) << value;
        if (off == std::abs(neighbour - value)) {
            EXPECT_EQ(bits % 2, 0) << value;
        }
    }
}

TEST(Rounding, GivesTheNearestNumber) {
    std::mt19937_64 random(3);
    std::vector<double> values = {1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-8, 1 + 3 * 0x1p-8, -1 - 0x1p-8,
                                  1 + 0x1p-8 - 0x1p-50, 0x1p-24,    0x1.8p-25};
    for (int i = 0; i < 20000; ++i)
        values.push_back(std::ldexp(static_cast<double>(random()) / 0x1p63 - 1,
                                    static_cast<int>(random() % 30) - 16));
    auto const b = rounded_bits(values, Element::bf16), h = rounded_bits(values, Element::f16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        expect_nearest<Bf16>(values[i], b[i]);
        if (std::abs(values[i]) > 0x1p-23) expect_nearest<Half>(values[i], h[i]);
    }
    EXPECT_EQ(b[0], 0x3f81);  // by way of float it would be 1
}

TEST(Rounding, SaysWhatItChanges) {
    Rounded tally;
    std::vector<float> const v = {1, 1.00390625F + 0x1p-20F, -2, 0};
    auto const b = rounded(bytes_of_numbers(v), Element::f32, Element::bf16, "t", tally);
    ASSERT_TRUE(b);
    EXPECT_EQ(tally.numbers, 4u);
    EXPECT_EQ(tally.changed, 1u);
    EXPECT_GT(tally.signal, 5);
    EXPECT_NEAR(std::sqrt(tally.noise), 0x1p-8, 1e-5);
    auto const again = rounded(*b, Element::bf16, Element::f32, "t", tally).value();
    EXPECT_EQ(again, bytes_of_numbers<float>({1, 1.0078125F, -2, 0}));
    EXPECT_EQ(tally.changed, 1u);
}

TEST(Rounding, KeepsWhatIsNoNumberAndRefusesWhatIsTooLarge) {
    float const inf = std::numeric_limits<float>::infinity();
    Rounded tally;
    auto const kept = rounded(bytes_of_numbers<float>({inf, -inf, std::nanf("")}), Element::f32,
                              Element::f16, "t", tally);
    ASSERT_TRUE(kept);
    std::uint16_t bits[3];
    std::memcpy(bits, kept->data(), 6);
    EXPECT_EQ(bits[0], 0x7c00);
    EXPECT_EQ(bits[1], 0xfc00);
    EXPECT_TRUE(std::isnan(static_cast<float>(Half{bits[2]})));
    auto const large =
        rounded(bytes_of_numbers<float>({70000}), Element::f32, Element::f16, "layer.7", tally);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("layer.7"), std::string::npos);
    EXPECT_NE(large.error().message.find("70000"), std::string::npos);
    EXPECT_TRUE(rounded(bytes_of_numbers<float>({70000}), Element::f32, Element::bf16, "t", tally));
}

}  // namespace
}  // namespace sluice::weights

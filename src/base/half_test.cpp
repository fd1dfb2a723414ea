// Halves against the rules of IEEE 754, every one of them.
// SPDX-License-Identifier: Apache-2.0
#include "base/half.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

float value(unsigned bits) {
    return static_cast<float>(Half{static_cast<std::uint16_t>(bits)});
}

TEST(Half, KnownValues) {
    EXPECT_EQ(value(0x3c00), 1);
    EXPECT_EQ(value(0xc000), -2);
    EXPECT_EQ(value(0x7bff), 65504);
    EXPECT_EQ(value(0x3555), 0.333251953125F);
    EXPECT_EQ(value(0x0001), std::ldexp(1.0F, -24));
    EXPECT_EQ(value(0x03ff), std::ldexp(1023.0F, -24));
    EXPECT_EQ(value(0x0400), std::ldexp(1.0F, -14));
    EXPECT_TRUE(std::signbit(value(0x8000)) && value(0x8000) == 0);
    EXPECT_TRUE(std::isinf(value(0x7c00)) && std::isnan(value(0x7e01)));
}

TEST(Half, EveryHalfComesBack) {
    for (unsigned b = 0; b < 65536; ++b) {
        float const v = value(b);
        if (std::isnan(v)) {
            EXPECT_TRUE(std::isnan(static_cast<float>(Half::of(double{v}))));
            continue;
        }
        EXPECT_EQ(Half::of(double{v}).bits, b);
    }
}

TEST(Half, BetweenTwoTheNearestAndOfTwoTheEven) {
    for (unsigned b = 0; b < 0x7bff; ++b) {
        double const low = value(b), high = value(b + 1), middle = (low + high) / 2;
        EXPECT_EQ(Half::of(std::nextafter(middle, 0)).bits, b);
        EXPECT_EQ(Half::of(std::nextafter(middle, 1e9)).bits, b + 1);
        EXPECT_EQ(Half::of(middle).bits, b % 2 ? b + 1 : b);
    }
    EXPECT_EQ(Half::of(65519.99).bits, 0x7bff);
    EXPECT_EQ(Half::of(65520).bits, 0x7c00);
    EXPECT_EQ(Half::of(-1e300).bits, 0xfc00);
    EXPECT_EQ(Half::of(1e-300).bits, 0);
}

}  // namespace
}  // namespace sluice

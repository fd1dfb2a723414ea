// What decoding does to marks, to counts above the limit and to floats, value by value.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "store/frame_planes.h"

namespace sluice::store {
namespace {

template <class T>
std::vector<T> decoded(std::vector<T> const& values, DType dtype, PixelRules const& rules,
                       Tally& tally) {
    FrameGeometry const geometry{1, std::ssize(values), dtype};
    std::vector<T> out(values.size());
    EncodedFrame const frame{.encoding = Encoding::values,
                             .bytes = std::as_bytes(std::span(values))};
    EXPECT_TRUE(
        decode_values(frame, geometry, rules, std::as_writable_bytes(std::span(out)), tally));
    return out;
}

template <class T>
void check_counts(DType dtype) {
    constexpr T ones = std::numeric_limits<T>::max();
    std::mt19937 random(4);
    for (std::size_t const n : {1U, 63U, 64U, 65U, 200U})
        for (bool const sentinel : {false, true})
            for (std::uint64_t const limit : std::initializer_list<std::uint64_t>{
                     0, 100, ones - 2U, ones - 1U, ones, ~std::uint64_t{0}}) {
                std::vector<T> values(n);
                T const some[] = {0, 99, 100, 101, ones - 2, ones - 1, ones};
                unsigned const one_in = 1 + random() % 30;
                for (T& v : values) v = random() % one_in ? T{7} : some[random() % 7];
                PixelRules rules{.bad = {0}, .sentinel = sentinel, .saturation = limit};
                if (n > 60) rules.bad.push_back(60);
                Tally found;
                auto const out = decoded(values, dtype, rules, found);
                std::uint64_t sentinels = 0, saturated = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    T want = i == 0 || i == 60 ? T{0} : values[i];
                    if (sentinel && want == ones)
                        want = 0, ++sentinels;
                    else
                        saturated += want > limit;
                    ASSERT_EQ(out[i], want) << i;
                }
                ASSERT_EQ(found.sentinels, sentinels);
                ASSERT_EQ(found.saturated, saturated);
            }
}

TEST(FrameValues, CountsFollowTheirRules) {
    check_counts<std::uint8_t>(DType::u8);
    check_counts<std::uint16_t>(DType::u16);
    check_counts<std::uint32_t>(DType::u32);
}

TEST(FrameValues, FloatsThatAreNotFiniteBecomeOneNaN) {
    std::mt19937 random(6);
    for (bool const keep : {false, true})
        for (std::size_t const n : {1U, 63U, 64U, 65U, 200U}) {
            std::vector<float> values(n);
            float const some[] = {std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  std::bit_cast<float>(0xffc12345U),
                                  std::numeric_limits<float>::max(),
                                  -0.0F,
                                  1e-45F};
            for (float& v : values) v = random() % 9 ? 2.5F : some[random() % 6];
            Tally found;
            auto const out = decoded(values, DType::f32, {.keep_not_finite = keep}, found);
            std::uint64_t strange = 0;
            for (std::size_t i = 0; i < n; ++i) {
                float want = values[i];
                if (!keep && !std::isfinite(want))
                    want = std::numeric_limits<float>::quiet_NaN(), ++strange;
                ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(want));
            }
            EXPECT_EQ(found.not_finite, strange);
        }
}

}  // namespace
}  // namespace sluice::store

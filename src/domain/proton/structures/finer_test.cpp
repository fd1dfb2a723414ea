// Interpolated doses beside polynomials, and what they never do.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/structures/finer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace sluice::proton {
namespace {

Volume volume_of(index side, auto const& f) {
    Volume v{Array<float>::zeros({side, side, side}), {1, 1, 1}, {0, 0, 0}};
    for (index i = 0; i < v.image.size(); ++i)
        v.image.values[static_cast<std::size_t>(i)] = f(i % side, i / side % side, i / side / side);
    return v;
}

// x*x + 2y - z*z + xy over elements: rising, so that nothing is cut off.
TEST(FinerDoses, AreExactForWhatBends) {
    auto const f = [](auto x, auto y, auto z) {
        return static_cast<float>(100 + x * x + 2 * y - z * z / 8 + x * y);
    };
    Volume const v = volume_of(9, [&](index x, index y, index z) {
        return f(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    });
    for (int const n : {1, 2, 5}) {
        dicom::Box const box{{3, 4, 2}, {6, 5, 6}};
        auto const got = finer_doses(v, box, n);
        ASSERT_EQ(std::ssize(got), 3 * 1 * 4 * n * n * n);
        std::size_t i = 0;
        for (int z = 0; z < 4 * n; ++z)
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < 3 * n; ++x, ++i)
                    EXPECT_NEAR(got[i],
                                f(2.5 + (x + 0.5) / n, 3.5 + (y + 0.5) / n, 1.5 + (z + 0.5) / n),
                                1e-4);
    }
}

TEST(FinerDoses, StayBetweenTheNeighbours) {
    std::mt19937 random(3);
    Volume const v = volume_of(6, [&](index, index, index) {
        return std::uniform_int_distribution(0, 1)(random) == 0 ? 0.0f : 60.0f;
    });
    auto const got = finer_doses(v, {{0, 0, 0}, {6, 6, 6}}, 4);
    EXPECT_EQ(*std::ranges::min_element(got), 0);
    EXPECT_EQ(*std::ranges::max_element(got), 60);
    // A corner is beyond all middles.
    EXPECT_EQ(got.front(), v.image.values.front());
    EXPECT_EQ(finer_doses(v, {{0, 0, 0}, {6, 6, 6}}, 1), v.image.values);
}

TEST(FinerDoses, WhatIsMissingDoesNotSpread) {
    Volume v = volume_of(7, [](index x, index, index) { return static_cast<float>(x); });
    v.image.values[(3 * 7 + 3) * 7 + 3] = std::nanf("");
    auto const got = finer_doses(v, {{0, 0, 0}, {7, 7, 7}}, 2);
    for (int z = 0; z < 14; ++z)
        for (int y = 0; y < 14; ++y)
            for (int x = 0; x < 14; ++x) {
                float const d = got[static_cast<std::size_t>((z * 14 + y) * 14 + x)];
                bool const near =
                    std::max({std::abs(x - 6.5), std::abs(y - 6.5), std::abs(z - 6.5)}) < 2;
                EXPECT_EQ(std::isnan(d), near) << x << " " << y << " " << z;
                if (!near) {
                    EXPECT_NEAR(d, std::clamp(x / 2.0 - 0.25, 0.0, 6.0), 0.1);
                }
            }
    Volume const flat{Array<float>{{1, 1, 1}, {5}}, {1, 1, 1}, {0, 0, 0}};
    for (float const d : finer_doses(flat, {{0, 0, 0}, {1, 1, 1}}, 3)) EXPECT_EQ(d, 5);
}

}  // namespace
}  // namespace sluice::proton

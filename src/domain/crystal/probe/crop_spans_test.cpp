// Tests of packed crops.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/crop_spans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "domain/crystal/fit/fit_kernels.h"

namespace sluice::crystal {
namespace {

std::vector<float> disk_of(index side, double radius, double hollow = -1) {
    std::vector<float> inside;
    for (index i = 0; i < side * side; ++i) {
        auto const half = (static_cast<double>(side) - 1) / 2;
        double const away =
            std::hypot(static_cast<double>(i / side) - half, static_cast<double>(i % side) - half);
        inside.push_back(away <= radius && away > hollow ? 1.0F : 0.0F);
    }
    return inside;
}

TEST(CropSpans, HoldEveryPixelInsideAndStayInTheirRows) {
    for (index const side : {8, 16, 24, 40, 64})
        for (double const part : {0.3, 0.5, 0.8, 0.97, 1.0, 1.5}) {
            auto const inside = disk_of(side, part * static_cast<double>(side) / 2);
            auto const spans = crop_spans(inside.data(), side);
            std::vector<float> packed(static_cast<std::size_t>(pixels_of(spans)), 0.0F);
            pack(spans, inside.data(), side, packed.data());
            EXPECT_EQ(std::accumulate(packed.begin(), packed.end(), 0.0F),
                      std::accumulate(inside.begin(), inside.end(), 0.0F));
            EXPECT_EQ(pixels_of(spans) % 16, 0);
            index at = 0;
            for (CropSpan const& s : spans) {
                EXPECT_EQ(s.at, at);
                at += s.count;
                EXPECT_GE(s.col, 0);
                EXPECT_LE(s.col + (s.count + 7) / 8 * 8, side) << side << " " << part;
            }
        }
    std::vector<float> const nothing(64, 0.0F);
    EXPECT_TRUE(crop_spans(nothing.data(), 8).empty());
}

// Every pixel of the pattern is another number, so that one in a wrong place is seen.
TEST(CropSpans, EveryInstructionSetCutsAsTheTwinDoes) {
    constexpr index side = 24, pitch = 61;
    auto const all = disk_of(side, 11.9), ring = disk_of(side, 11.9, 6);
    auto const spans = crop_spans(all.data(), side);
    auto const n = static_cast<std::size_t>(pixels_of(spans)) + 8;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> draw(0.5F, 2);
    std::vector<float> images[4], table;
    for (auto& image : images)
        for (index i = 0; i < pitch * side; ++i) image.push_back(draw(random));
    for (index i = 0; i < pitch * side; i += 7) images[1][static_cast<std::size_t>(i)] = 0;
    for (index i = 0; i < side * side; ++i) table.push_back(draw(random));
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        for (auto const& inside : {all, ring})
            for (int const kind : {0, 1, 2, 3, 4, 5, 6, 7}) {
                std::vector<float> a[4], b[4];
                for (auto* const out : {a, b})
                    for (int k = 0; k < 4; ++k) out[k].assign(n, 0.0F);
                auto const cut = [&](std::vector<float>(&to)[4]) {
                    return Cut{images[0].data() + 5,
                               kind & 1 ? images[1].data() + 5 : nullptr,
                               kind & 2 ? images[2].data() + 5 : nullptr,
                               kind & 4 ? images[3].data() + 5 : nullptr,
                               inside.data(),
                               table.data(),
                               pitch,
                               side,
                               spans,
                               to[0].data(),
                               to[1].data(),
                               to[2].data(),
                               to[3].data()};
                };
                CutSums const is = fit_kernels(isa).cut(cut(a)), should = fit_twin().cut(cut(b));
                EXPECT_NEAR(is.weights, should.weights, 1e-3);
                EXPECT_NEAR(is.table, should.table, 1e-3);
                auto const end = static_cast<std::size_t>(spans.back().at + spans.back().count);
                for (int k = 0; k < 4; ++k)
                    for (std::size_t i = 0; i < end; ++i) ASSERT_EQ(a[k][i], b[k][i]) << k;
                // Behind the last span nothing weighs.
                for (std::size_t i = end; i < n; ++i) ASSERT_EQ(a[1][i], 0);
            }
    }
}

}  // namespace
}  // namespace sluice::crystal

// Cosine transforms agree with the sum that defines them and undo themselves.
// SPDX-License-Identifier: Apache-2.0
#include "fft/cosine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace sluice::fft {
namespace {

using Z = Complex<double>;

std::vector<Z> random_values(index count) {
    std::mt19937 random(static_cast<unsigned>(count));
    std::normal_distribution<double> normal;
    std::vector<Z> out(count);
    for (Z& v : out) v = {normal(random), normal(random)};
    return out;
}

double wave(index k, index r, index n) {
    return std::cos(std::numbers::pi * k * (r + 0.5) / n);
}

constexpr std::array<index, 2> shapes[] = {{1, 1},  {1, 2},  {2, 1},  {2, 3},  {3, 3},  {5, 4},
                                           {8, 16}, {17, 9}, {30, 1}, {1, 31}, {24, 20}};

TEST(Cosine, IsTheSumThatDefinesIt) {
    for (auto [rows, cols] : shapes) {
        auto const x = random_values(rows * cols);
        auto y = x;
        ASSERT_TRUE(CosinePlan::make(rows, cols).value().forward({y.data(), {rows, cols}}));
        for (index k = 0; k < rows; ++k)
            for (index l = 0; l < cols; ++l) {
                Z sum = 0;
                for (index i = 0; i < rows * cols; ++i)
                    sum += x[i] * wave(k, i / cols, rows) * wave(l, i % cols, cols);
                EXPECT_LT(std::abs(y[k * cols + l] - sum), 1e-12)
                    << rows << "x" << cols << " at " << k << ":" << l;
            }
    }
}

TEST(Cosine, InverseUndoesForward) {
    for (auto [rows, cols] : shapes) {
        auto const x = random_values(rows * cols);
        auto y = x;
        auto const plan = CosinePlan::make(rows, cols).value();
        ASSERT_TRUE(plan.forward({y.data(), {rows, cols}}));
        ASSERT_TRUE(plan.inverse({y.data(), {rows, cols}}));
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(y[i] - x[i]), 1e-13);
    }
}

TEST(Cosine, AShapeWithoutAnythingIsAnError) {
    EXPECT_EQ(CosinePlan::make(0, 3).error().code, Code::invalid_argument);
}

}  // namespace
}  // namespace sluice::fft

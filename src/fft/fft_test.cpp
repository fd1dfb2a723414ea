// Transforms of any size agree with the sum that defines them, undo themselves and keep the energy;
// the chosen backend agrees with the one written here, also from several threads.
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <thread>

#include "fft/own.h"

namespace sluice::fft {
namespace {

struct Field {
    index rows, cols;
    std::vector<Complex> values;

    View<Complex, 2> view() { return {values.data(), {rows, cols}}; }
};

Field random_field(index rows, index cols) {
    std::mt19937 random(static_cast<unsigned>(rows * 1000 + cols));
    std::normal_distribution<double> normal;
    Field f{rows, cols, std::vector<Complex>(rows * cols)};
    for (Complex& v : f.values) v = {normal(random), normal(random)};
    return f;
}

std::vector<Complex> roots_of(index n) {
    std::vector<Complex> roots(n);
    for (index k = 0; k < n; ++k) roots[k] = std::polar(1.0, -2 * std::numbers::pi * k / n);
    return roots;
}

// By definition, one axis after the other, in long sums.
Field naive(Field const& x) {
    auto const row_roots = roots_of(x.rows), col_roots = roots_of(x.cols);
    Field half{x.rows, x.cols, std::vector<Complex>(x.values.size())}, out = half;
    for (index r = 0; r < x.rows; ++r)
        for (index l = 0; l < x.cols; ++l)
            for (index c = 0; c < x.cols; ++c)
                half.values[r * x.cols + l] += x.values[r * x.cols + c] * col_roots[l * c % x.cols];
    for (index k = 0; k < x.rows; ++k)
        for (index r = 0; r < x.rows; ++r)
            for (index l = 0; l < x.cols; ++l)
                out.values[k * x.cols + l] +=
                    half.values[r * x.cols + l] * row_roots[k * r % x.rows];
    return out;
}

double energy(Field const& f) {
    double sum = 0;
    for (Complex v : f.values) sum += std::norm(v);
    return sum;
}

double distance(Field const& a, Field const& b) {  // relative, of the whole
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::norm(a.values[i] - b.values[i]);
    return std::sqrt(sum / energy(b));
}

template <class P>
class Fft : public testing::Test {};
using Backends = testing::Types<Plan, own::Plan>;
TYPED_TEST_SUITE(Fft, Backends);

constexpr std::array<index, 2> shapes[] = {
    {1, 1},  {1, 2},   {2, 1},   {2, 2},   {3, 4},   {5, 6},   {7, 8},   {9, 10},
    {11, 1}, {1, 12},  {13, 16}, {15, 15}, {31, 32}, {37, 3},  {4, 37},  {64, 48},
    {61, 1}, {97, 20}, {21, 97}, {49, 25}, {127, 2}, {128, 1}, {30, 77}, {74, 41},
};

TYPED_TEST(Fft, IsTheSumThatDefinesIt) {
    for (auto [rows, cols] : shapes) {
        Field const x = random_field(rows, cols);
        Field y = x;
        TypeParam(rows, cols).forward(y.view());
        EXPECT_LT(distance(y, naive(x)), 2e-14) << rows << "x" << cols;
    }
}

TYPED_TEST(Fft, InverseUndoesForward) {
    for (index n : {index{1}, index{2}, index{96}, index{101}, index{251}, index{256}}) {
        Field const x = random_field(n, n + 3);
        Field y = x;
        TypeParam const plan(n, n + 3);
        plan.forward(y.view());
        EXPECT_NEAR(energy(y) / energy(x) / static_cast<double>(n * (n + 3)), 1, 1e-13);
        plan.inverse(y.view());
        EXPECT_LT(distance(y, x), 3e-15 * std::log2(n * n + 4.0)) << n;
    }
}

TYPED_TEST(Fft, SignAndOrderOfAxes) {
    // exp(2 pi i (2 r / 5 + 3 c / 7)) is one peak, at (2, 3).
    Field x{5, 7, std::vector<Complex>(35)};
    for (index r = 0; r < 5; ++r)
        for (index c = 0; c < 7; ++c)
            x.values[r * 7 + c] =
                std::polar(1.0, 2 * std::numbers::pi * (2.0 * r / 5 + 3.0 * c / 7));
    TypeParam(5, 7).forward(x.view());
    for (index i = 0; i < 35; ++i) EXPECT_NEAR(std::abs(x.values[i]), i == 17 ? 35 : 0, 1e-12) << i;
}

TYPED_TEST(Fft, TheSameBitsAtAnyAddress) {
    Field const x = random_field(48, 50);
    std::vector<Complex> first;
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::vector<double> memory(2 * x.values.size() + 4);
        auto* const z = reinterpret_cast<Complex*>(memory.data() + shift);
        std::copy(x.values.begin(), x.values.end(), z);
        TypeParam(48, 50).forward({z, {48, 50}});
        if (shift == 0) first.assign(z, z + x.values.size());
        EXPECT_TRUE(std::equal(first.begin(), first.end(), z)) << shift;
    }
}

TEST(FftBackends, Agree) {
    for (auto [rows, cols] : {std::array<index, 2>{256, 256}, {251, 256}, {300, 210}, {1, 4099}}) {
        Field const x = random_field(rows, cols);
        Field a = x, b = x;
        Plan(rows, cols).forward(a.view());
        own::Plan(rows, cols).forward(b.view());
        EXPECT_LT(distance(a, b), 2e-15) << rows << "x" << cols;
    }
}

TEST(FftBackends, PlansAreMadeAndUsedByManyThreads) {
    Field const x = random_field(40, 36);
    Field expected = x;
    Plan const shared(40, 36);
    shared.forward(expected.view());
    std::vector<int> wrong(8);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                Field y = x, z = x;
                shared.forward(y.view());
                Plan(40, 36).forward(z.view());
                wrong[t] += y.values != expected.values || z.values != expected.values;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST(FftDeathTest, AnotherShapeEndsTheProgram) {
    Field x = random_field(4, 6);
    EXPECT_DEATH(Plan(6, 4).forward(x.view()), "");
    EXPECT_DEATH(Plan(0, 4), "");
}

}  // namespace
}  // namespace sluice::fft

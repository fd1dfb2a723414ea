// Transforms of any size, in float and double, agree with the sum that defines them, undo
// themselves and keep the energy: by the build's backend and by the one written here.
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft.h"

#include <gtest/gtest.h>

#include "fft/naive_test.h"

namespace sluice::fft {
namespace {

template <class R>
struct OfBuild {
    using Real = R;
    static Plan<R> plan(Layout const& l) { return Plan<R>::make(l).value(); }
};
template <class R>
struct Own {
    using Real = R;
    static Plan<R> plan(Layout const& l) { return Plan<R>::make_own(l).value(); }
};

// What rounding may do to a transform of some ten thousand numbers.
template <class Real>
constexpr double rounding = sizeof(Real) == 4 ? 2e-6 : 2e-15;

template <class Backend>
class Fft : public testing::Test {};
using Backends = testing::Types<OfBuild<double>, OfBuild<float>, Own<double>, Own<float>>;
TYPED_TEST_SUITE(Fft, Backends);

TYPED_TEST(Fft, IsTheSumThatDefinesIt) {
    using Real = typename TypeParam::Real;
    for (auto const& shape : shapes) {
        auto const x = random_numbers<Complex<Real>>(count_of(shape));
        auto y = x;
        auto const plan = TypeParam::plan({shape});
        ASSERT_TRUE(plan.forward(y));
        EXPECT_LT(distance(y, naive(shape, x.data())), rounding<Real>) << name_of(shape);
        y = x;
        ASSERT_TRUE(plan.inverse(y));
        auto expected = naive(shape, x.data(), 1);
        for (Long& v : expected) v /= static_cast<long double>(expected.size());
        EXPECT_LT(distance(y, expected), rounding<Real>) << name_of(shape);
    }
}

TYPED_TEST(Fft, OfRealSamplesIsTheFirstHalf) {
    using Real = typename TypeParam::Real;
    for (auto const& shape : shapes) {
        auto const x = random_numbers<Real>(count_of(shape));
        auto const plan = TypeParam::plan({.shape = shape, .numbers = Numbers::real});
        std::vector<Complex<Real>> half(plan.sizes().spectrum);
        ASSERT_TRUE(plan.forward(x, half));
        std::vector<Long> const all = naive(shape, x.data());
        std::vector<Long> expected;
        index const last = shape.back();
        for (index i = 0; i < std::ssize(all); ++i)
            if (i % last <= last / 2) expected.push_back(all[i]);
        ASSERT_EQ(expected.size(), half.size());
        EXPECT_LT(distance(half, expected), rounding<Real>) << name_of(shape);
        std::vector<Real> back(x.size());
        auto const kept = half;
        ASSERT_TRUE(plan.inverse(half, back));
        EXPECT_LT(distance(back, x), rounding<Real>) << name_of(shape);
        EXPECT_EQ(half, kept) << "the way back must not change its input";
    }
}

TYPED_TEST(Fft, TheWayBackTakesTheRealPart) {
    // A spectrum that belongs to no real samples: what is imaginary is left out.
    using Real = typename TypeParam::Real;
    for (std::vector<index> const& shape : {std::vector<index>{4, 6}, {5, 7}, {3, 2, 4}, {8}}) {
        auto const plan = TypeParam::plan({.shape = shape, .numbers = Numbers::real});
        auto const half = random_numbers<Complex<Real>>(plan.sizes().spectrum);
        auto const own = Plan<Real>::make_own({.shape = shape, .numbers = Numbers::real}).value();
        std::vector<Real> a(plan.sizes().array), b = a;
        ASSERT_TRUE(plan.inverse(half, a));
        ASSERT_TRUE(own.inverse(half, b));
        EXPECT_LT(distance(a, b), rounding<Real>) << name_of(shape);
    }
}

TYPED_TEST(Fft, KeepsTheEnergyAndUndoesItself) {
    using Real = typename TypeParam::Real;
    for (index n : {index{1}, index{2}, index{96}, index{101}, index{251}, index{256}}) {
        auto const x = random_numbers<Complex<Real>>(n * (n + 3));
        auto y = x;
        auto const plan = TypeParam::plan({{n, n + 3}});
        ASSERT_TRUE(plan.forward(y));
        EXPECT_NEAR(energy(y) / energy(x) / (n * (n + 3)), 1, 10 * rounding<Real>);
        ASSERT_TRUE(plan.inverse(y));
        EXPECT_LT(distance(y, x), rounding<Real> * std::log2(n * n + 4.0)) << n;
    }
}

TYPED_TEST(Fft, IsLinear) {
    using Real = typename TypeParam::Real;
    using Z = Complex<Real>;
    for (index n : {60, 74, 128}) {
        auto a = random_numbers<Z>(n, 1), b = random_numbers<Z>(n, 2);
        Z const s(2, -1), t(Real(0.5), 3);
        std::vector<Z> both(n), sum(n);
        for (index i = 0; i < n; ++i) both[i] = s * a[i] + t * b[i];
        auto const plan = TypeParam::plan({{n}});
        for (auto* const all : {&a, &b, &both}) ASSERT_TRUE(plan.forward(*all));
        for (index i = 0; i < n; ++i) sum[i] = s * a[i] + t * b[i];
        EXPECT_LT(distance(both, sum), rounding<Real>) << n;
    }
}

TYPED_TEST(Fft, SignAndOrderOfAxes) {
    // exp(2 pi i (2 r / 5 + 3 c / 7)) is one peak, at (2, 3).
    using Real = typename TypeParam::Real;
    std::vector<Complex<Real>> x(35);
    for (index i = 0; i < 35; ++i) {
        double const turns = 2.0 * (i / 7) / 5 + 3.0 * (i % 7) / 7;
        x[i] = Complex<Real>(std::polar(1.0, 2 * std::numbers::pi * turns));
    }
    ASSERT_TRUE(TypeParam::plan({{5, 7}}).forward(x));
    for (index i = 0; i < 35; ++i)
        EXPECT_NEAR(std::abs(x[i]), i == 17 ? 35 : 0, 40 * rounding<Real>) << i;
}

TYPED_TEST(Fft, TheSameBitsAtAnyAddress) {
    using Real = typename TypeParam::Real;
    using Z = Complex<Real>;
    auto const x = random_numbers<Z>(48 * 50);
    std::vector<Z> first;
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::vector<Real> memory(2 * x.size() + 4);
        auto* const z = reinterpret_cast<Z*>(memory.data() + shift);
        std::copy(x.begin(), x.end(), z);
        ASSERT_TRUE(TypeParam::plan({{48, 50}}).forward({z, x.size()}));
        if (shift == 0) first.assign(z, z + x.size());
        EXPECT_TRUE(std::equal(first.begin(), first.end(), z)) << shift;
    }
}

TEST(FftBackends, Agree) {
    using Z = Complex<double>;
    for (auto [rows, cols] : {std::array<index, 2>{256, 256}, {251, 256}, {300, 210}, {1, 4099}}) {
        auto a = random_numbers<Z>(rows * cols), b = a;
        ASSERT_TRUE(Plan<double>::make({{rows, cols}}).value().forward(a));
        ASSERT_TRUE(Plan<double>::make_own({{rows, cols}}).value().forward(b));
        EXPECT_LT(distance(a, b), 2e-15) << rows << "x" << cols;
    }
}

}  // namespace
}  // namespace sluice::fft

// Normalising: each instruction set beside the twin in double and the others, bit by bit; odd
// shapes, parts of tensors, large means, threads; and how exact the activations are.
// SPDX-License-Identifier: Apache-2.0
#include "nn/normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "device/isa.h"

namespace sluice::nn {
namespace {

std::vector<Device> processors(int threads = 1) {
    std::vector<Device> all;
    for (Isa isa : compiled_isas())
        if (runs_here(isa)) all.push_back(Device::cpu(threads, isa));
    return all;
}

template <class T>
T made(double value) {
    if constexpr (std::is_same_v<T, float>)
        return static_cast<float>(value);
    else
        return T::of(static_cast<float>(value));
}

/// A tensor of random numbers with `gap` elements between the rows, which are 99.
template <class T>
struct Tensor {
    std::vector<T> numbers;
    index rows, channels, stride;

    Tensor(index rows, index channels, index gap = 0, double mean = 0, double deviation = 1,
           unsigned seed = 1)
        : numbers(static_cast<std::size_t>(rows * (channels + gap)), made<T>(99)),
          rows(rows),
          channels(channels),
          stride(channels + gap) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal(mean, deviation);
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < channels; ++c) view().row(r)[c] = made<T>(normal(random));
    }
    Rows<T> view() { return {numbers.data(), rows, channels, stride}; }
    bool gaps_are_untouched() {
        for (index r = 0; r < rows; ++r)
            for (index c = channels; c < stride; ++c)
                if (view().row(r)[c] != made<T>(99)) return false;
        return true;
    }
};

Affine some_affine(index channels) {
    Affine affine;
    for (index c = 0; c < channels; ++c) {
        affine.scale.push_back(0.5f + static_cast<float>(c % 7) / 4);
        affine.shift.push_back(static_cast<float>(c % 5) / 2 - 1);
    }
    return affine;
}

void expect_near(Moments const& a, Moments const& b, double tolerance) {
    ASSERT_EQ(a.mean.size(), b.mean.size());
    for (std::size_t c = 0; c < a.mean.size(); ++c) {
        double const deviation = std::sqrt(b.variance[c]);
        EXPECT_NEAR(a.mean[c], b.mean[c], tolerance * (deviation + 1e-300)) << c;
        EXPECT_NEAR(a.variance[c], b.variance[c], tolerance * b.variance[c]) << c;
    }
}

// Rows around blocks of 64 and pieces of 512; channels around registers of 4, 8 and 16.
constexpr std::array<index, 9> some_rows{1, 2, 7, 63, 64, 65, 511, 513, 1500};
constexpr std::array<index, 10> some_channels{1, 3, 4, 8, 15, 16, 17, 31, 64, 100};

template <class T>
class Normalise : public testing::Test {};
using Numbers = testing::Types<float, Bf16>;
TYPED_TEST_SUITE(Normalise, Numbers);

TYPED_TEST(Normalise, MomentsAreThoseOfTheTwin) {
    for (index rows : some_rows)
        for (index channels : some_channels) {
            SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(channels));
            Tensor<TypeParam> x(rows, channels, channels % 3, 0.3);
            auto const twin = moments<TypeParam>(Device::reference(), x.view());
            auto const first = moments<TypeParam>(Device::cpu(1, Isa::baseline), x.view());
            expect_near(first, twin, 1e-6);
            for (auto const& device : processors()) {
                auto const m = moments<TypeParam>(device, x.view());
                EXPECT_EQ(m.mean, first.mean) << device.name();
                EXPECT_EQ(m.variance, first.variance) << device.name();
            }
        }
}

TYPED_TEST(Normalise, SumsAndTheirMomentsAreThoseOfTheTwin) {
    for (index rows : some_rows)
        for (index channels : some_channels) {
            SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(channels));
            Tensor<TypeParam> a(rows, channels, 2, 0.3), b(rows, channels, 0, 0.1, 1, 2);
            Tensor<TypeParam> expected(rows, channels, 5);
            auto const twin =
                add<TypeParam>(Device::reference(), a.view(), b.view(), expected.view());
            for (auto const& device : processors()) {
                Tensor<TypeParam> sum(rows, channels, 5);
                auto const m = add<TypeParam>(device, a.view(), b.view(), sum.view());
                EXPECT_EQ(sum.numbers, expected.numbers) << device.name();
                expect_near(m, twin, 1e-6);
                auto in_place = a;
                auto const same =
                    add<TypeParam>(device, in_place.view(), b.view(), in_place.view());
                EXPECT_EQ(same.variance, m.variance);
                EXPECT_TRUE(in_place.gaps_are_untouched());
            }
        }
}

template <class From, class To>
void expect_normalised(Activation activation, double tolerance) {
    for (index rows : {1, 5, 64})
        for (index channels : some_channels) {
            Tensor<From> x(rows, channels, channels % 3, 0, 3);
            Tensor<To> twin(rows, channels, 3), first(rows, channels, 3);
            Affine const affine = some_affine(channels);
            normalise_activate<From, To>(Device::reference(), x.view(), affine, activation,
                                         twin.view());
            normalise_activate<From, To>(Device::cpu(1, Isa::baseline), x.view(), affine,
                                         activation, first.view());
            for (index r = 0; r < rows; ++r)
                for (index c = 0; c < channels; ++c) {
                    auto const expected = static_cast<float>(twin.view().row(r)[c]);
                    ASSERT_NEAR(static_cast<float>(first.view().row(r)[c]), expected,
                                tolerance * (1 + std::abs(expected)));
                }
            EXPECT_TRUE(first.gaps_are_untouched());
            for (auto const& device : processors()) {
                Tensor<To> y(rows, channels, 3);
                normalise_activate<From, To>(device, x.view(), affine, activation, y.view());
                EXPECT_EQ(y.numbers, first.numbers) << device.name();
            }
        }
}

TEST(NormaliseActivate, IsThatOfTheTwin) {
    for (auto a : {Activation::identity(), Activation::relu(), Activation::elu(1),
                   Activation::elu(0.3f), Activation::gelu()}) {
        // float rounds the argument, up to 12, before the activation; bf16 rounds to 8 digits.
        expect_normalised<float, float>(a, 2e-6);
        expect_normalised<Bf16, float>(a, 2e-6);
        expect_normalised<float, Bf16>(a, 1.0 / 128);
        expect_normalised<Bf16, Bf16>(a, 1.0 / 128);
    }
}

TEST(NormaliseActivate, WorksInPlace) {
    Tensor<float> x(100, 48), y(100, 48);
    Affine const affine = some_affine(48);
    for (auto const& device : processors()) {
        auto in_place = x;
        normalise_activate<float, float>(device, x.view(), affine, Activation::gelu(), y.view());
        normalise_activate<float, float>(device, in_place.view(), affine, Activation::gelu(),
                                         in_place.view());
        EXPECT_EQ(in_place.numbers, y.numbers);
    }
}

// A result of more than 32 MB is written by other stores.
TEST(NormaliseActivate, PastTheCachesIsTheSame) {
    constexpr index rows = 66000, channels = 128;
    Tensor<float> x(rows, channels);
    Affine const affine = some_affine(channels);
    auto const aligned = [](auto& store, index gap) {
        using T = std::decay_t<decltype(store[0])>;
        auto const at = reinterpret_cast<std::uintptr_t>(store.data());
        return Rows<T>{store.data() + (64 - at % 64) % 64 / sizeof(T), rows, channels,
                       channels + gap};
    };
    std::vector<float> plain(rows * channels);
    for (auto const& device : processors(2)) {
        Rows<float> const small{plain.data(), 1, channels, channels};
        std::vector<float> out(rows * (channels + 16) + 16);
        std::vector<Bf16> halves(2 * rows * channels + 32);
        auto const big = aligned(out, 16);
        auto const half = aligned(halves, channels);
        normalise_activate<float, float>(device, x.view(), affine, Activation::gelu(), big);
        normalise_activate<float, Bf16>(device, {x.view().data, rows, channels, channels}, affine,
                                        Activation::gelu(), half);
        for (index r = 0; r < rows; r += 331) {
            normalise_activate<float, float>(device, {x.view().row(r), 1, channels, channels},
                                             affine, Activation::gelu(), small);
            for (index c = 0; c < channels; ++c) {
                ASSERT_EQ(big.row(r)[c], plain[static_cast<std::size_t>(c)]);
                ASSERT_EQ(half.row(r)[c], Bf16::of(plain[static_cast<std::size_t>(c)]));
            }
        }
    }
}

TEST(Moments, ALargeMeanDoesNotHarmTheVariance) {
    // In float these numbers are multiples of 2^-10; the naive E(x^2) - E(x)^2 would lose all.
    Tensor<float> x(20000, 20, 0, 10000, 1);
    auto const twin = moments<float>(Device::reference(), x.view());
    for (auto const& device : processors())
        expect_near(moments<float>(device, x.view()), twin, 1e-7);
}

TEST(Moments, AnOutlierDoesNotHarmTheVarianceOfItsChannel) {
    Tensor<float> x(3000, 5);
    x.view().row(0)[2] = 1e6f;
    auto const twin = moments<float>(Device::reference(), x.view());
    for (auto const& device : processors())
        expect_near(moments<float>(device, x.view()), twin, 1e-6);
}

TEST(Moments, ConstantsHaveNoVariance) {
    Tensor<float> x(1000, 3, 0, 0.1, 0);
    for (auto const& device : processors()) {
        auto const m = moments<float>(device, x.view());
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(m.mean[c], 0.1, 1e-8);
            EXPECT_GE(m.variance[c], 0);
            EXPECT_LT(m.variance[c], 1e-15);
        }
    }
}

TEST(Moments, DoNotDependOnTheThreads) {
    Tensor<float> x(5000, 72, 0, 0.2);
    auto const one = moments<float>(Device::cpu(1), x.view());
    for (int threads : {2, 3, 8}) {
        auto const many = moments<float>(Device::cpu(threads), x.view());
        EXPECT_EQ(many.mean, one.mean);
        EXPECT_EQ(many.variance, one.variance);
        Tensor<float> y(5000, 72), expected(5000, 72);
        auto const affine = some_affine(72);
        normalise_activate<float, float>(Device::cpu(1), x.view(), affine, Activation::gelu(),
                                         expected.view());
        normalise_activate<float, float>(Device::cpu(threads), x.view(), affine, Activation::gelu(),
                                         y.view());
        EXPECT_EQ(y.numbers, expected.numbers);
    }
}

TEST(Moments, OfANaNAreNaNInItsChannelOnly) {
    Tensor<float> x(700, 20);
    x.view().row(600)[3] = std::numeric_limits<float>::quiet_NaN();
    for (auto const& device : processors()) {
        auto const m = moments<float>(device, x.view());
        for (std::size_t c = 0; c < 20; ++c) EXPECT_EQ(std::isnan(m.mean[c]), c == 3);
    }
}

TEST(Normalising, GivesTheMeanAndDeviationThatAreAskedFor) {
    Tensor<float> x(4000, 24, 0, 5, 2);
    std::vector<float> gamma, beta;
    for (int c = 0; c < 24; ++c) {
        gamma.push_back(0.1f * static_cast<float>(c + 1));
        beta.push_back(static_cast<float>(c - 12));
    }
    auto const device = Device::cpu(2);
    auto const affine = normalising(moments<float>(device, x.view()), gamma, beta, 1e-5);
    normalise_activate<float, float>(device, x.view(), affine, Activation::identity(), x.view());
    auto const m = moments<float>(Device::reference(), x.view());
    for (std::size_t c = 0; c < 24; ++c) {
        EXPECT_NEAR(m.mean[c], static_cast<double>(beta[c]), 1e-5);
        EXPECT_NEAR(std::sqrt(m.variance[c]), static_cast<double>(gamma[c]), 1e-4);
    }
}

/// The largest |y - exact| / |x| over numbers from tiny to huge, both signs.
template <class Exact>
double worst_relative_to_argument(Device const& device, Activation activation, Exact const& exact) {
    std::vector<float> x;
    for (double v = 1e-30; v < 1e30; v *= 1.003)
        for (double sign : {-1.0, 1.0}) x.push_back(static_cast<float>(sign * v));
    for (int i = -800000; i <= 800000; ++i) x.push_back(static_cast<float>(i) * 1e-5f);
    auto const n = static_cast<index>(x.size());
    std::vector<float> y(x.size());
    Affine const same{std::vector<float>(x.size(), 1), std::vector<float>(x.size(), 0)};
    normalise_activate<float, float>(device, {x.data(), 1, n, n}, same, activation,
                                     {y.data(), 1, n, n});
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (auto const v = static_cast<double>(x[i]); v != 0)
            worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact(v)) / std::abs(v));
    return worst;
}

TEST(Activations, AreExactToAFewUnitsOfTheirArgument) {
    auto const gelu = [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); };
    auto const elu = [](double x) { return x < 0 ? 0.7f * std::expm1(x) : x; };
    for (auto const& device : processors()) {
        double const of_gelu = worst_relative_to_argument(device, Activation::gelu(), gelu);
        double const of_elu = worst_relative_to_argument(device, Activation::elu(0.7f), elu);
        EXPECT_LT(of_gelu, 2.5e-7) << device.name();
        EXPECT_LT(of_elu, 2e-7) << device.name();
        RecordProperty("gelu_" + device.name(), std::to_string(of_gelu * 1e9) + "e-9");
        RecordProperty("elu_" + device.name(), std::to_string(of_elu * 1e9) + "e-9");
    }
}

TEST(Activations, AtTheEnds) {
    float const huge = std::numeric_limits<float>::max();
    float const nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> const x{-huge, -100, -6, -0.0f, 0, 6, 100, huge, nan};
    Affine const same{std::vector<float>(9, 1), std::vector<float>(9, 0)};
    for (auto const& device : processors())
        for (auto a : {Activation::relu(), Activation::elu(1), Activation::gelu()}) {
            std::vector<float> y(9);
            normalise_activate<float, float>(device, {x.data(), 1, 9, 9}, same, a,
                                             {y.data(), 1, 9, 9});
            float const low = a.kind == Activation::Kind::elu ? -1 : 0;
            EXPECT_EQ(y[0], low);
            EXPECT_EQ(y[1], low);
            EXPECT_EQ(y[3], 0);
            EXPECT_EQ(y[4], 0);
            EXPECT_EQ(y[5], 6);
            EXPECT_EQ(y[6], 100);
            EXPECT_EQ(y[7], huge);
            EXPECT_TRUE(std::isnan(y[8]));
        }
}

TEST(Bf16Of, RoundsToTheNearestWithTiesToEven) {
    auto const of = [](std::uint32_t bits) { return Bf16::of(std::bit_cast<float>(bits)).bits; };
    EXPECT_EQ(of(0x3f808000), 0x3f80);
    EXPECT_EQ(of(0x3f818000), 0x3f82);
    EXPECT_EQ(of(0x3f808001), 0x3f81);
    EXPECT_EQ(of(0x7f7fffff), 0x7f80);
    EXPECT_EQ(of(0x7f800001), 0x7fc0);
    // The kernels round all kinds of bits in the same way.
    std::mt19937 random(5);
    std::vector<float> x(4096);
    for (float& v : x) v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    for (std::uint32_t i = 0; i < 64; ++i) x[i] = std::bit_cast<float>(0x3f800000 + (i << 14));
    Affine const same{std::vector<float>(4096, 1), std::vector<float>(4096, 0)};
    for (auto const& device : processors()) {
        std::vector<Bf16> y(4096);
        normalise_activate<float, Bf16>(device, {x.data(), 1, 4096, 4096}, same,
                                        Activation::identity(), {y.data(), 1, 4096, 4096});
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::isnan(x[i]))
                ASSERT_TRUE(std::isnan(static_cast<float>(y[i])));
            else
                ASSERT_EQ(y[i], Bf16::of(x[i] * 1 + 0)) << x[i];
        }
    }
}

}  // namespace
}  // namespace sluice::nn

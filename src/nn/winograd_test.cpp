// Winograd's convolution beside the direct sum in double: each instruction set, odd sizes, several
// sources, sums, moments, threads, and how much is lost.
// SPDX-License-Identifier: Apache-2.0
#include "nn/winograd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "device/isa.h"

namespace sluice::nn {
namespace {

std::vector<Device> instruction_sets(int threads = 1) {
    std::vector<Device> all;
    for (Isa isa : compiled_isas())
        if (runs_here(isa)) all.push_back(Device::cpu(threads, isa));
    return all;
}

template <class T>
T number(double value) {
    if constexpr (std::is_same_v<T, float>)
        return static_cast<float>(value);
    else
        return T::of(static_cast<float>(value));
}

template <class T>
std::vector<T> random_tensor(index n, unsigned seed, double deviation = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, deviation);
    std::vector<T> out(static_cast<std::size_t>(n));
    for (T& v : out) v = number<T>(normal(random));
    return out;
}

/// A convolution of one or two sources, with everything it needs. Rows of y have a gap of 3.
template <class T>
struct Case {
    index height, width, out;
    std::vector<index> in;
    Activation activation = Activation::gelu();
    bool adds = false;

    std::vector<std::vector<T>> images;
    std::vector<Source<T>> sources;
    std::vector<float> weights;
    std::vector<T> before;

    Case(index height, index width, std::vector<index> channels, index out, bool adds = false,
         Activation activation = Activation::gelu())
        : height(height), width(width), out(out), in(channels), activation(activation), adds(adds) {
        index const pixels = height * width;
        for (index const c : in) images.push_back(random_tensor<T>(pixels * (c + 5), 1 + c));
        for (std::size_t s = 0; s < in.size(); ++s) {
            Affine affine;
            for (index c = 0; c < in[s]; ++c) {
                affine.scale.push_back(0.5f + static_cast<float>(c % 5) / 4);
                affine.shift.push_back(static_cast<float>(c % 3) / 2 - 0.5f);
            }
            sources.push_back(
                {{images[s].data(), pixels, in[s], in[s] + 5}, std::move(affine), activation});
        }
        weights = random_tensor<float>(out * total() * 9, 7, 1 / std::sqrt(9.0 * double(total())));
        before = random_tensor<T>(pixels * (out + 3), 8);
    }
    index total() const {
        index sum = 0;
        for (index const c : in) sum += c;
        return sum;
    }
    struct Answer {
        std::vector<T> y;
        Moments moments;
    };
    Answer on(Device const& device) const {
        Answer answer{before, {}};
        Scratch scratch;
        Winograd const convolution(weights, total(), out);
        answer.moments = convolution
                             .run<T>(device, height, width, sources, adds,
                                     {answer.y.data(), height * width, out, out + 3}, scratch)
                             .value();
        return answer;
    }
};

/// 10 log10 of signal to error.
template <class T>
double snr(std::vector<T> const& y, std::vector<T> const& exact) {
    double signal = 0, error = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        auto const e = static_cast<double>(static_cast<float>(exact[i]));
        signal += e * e;
        error += std::pow(static_cast<double>(static_cast<float>(y[i])) - e, 2);
    }
    return 10 * std::log10(signal / (error + 1e-300));
}

template <class T>
void expect_exact(Case<T> const& c, double least_db) {
    SCOPED_TRACE(std::to_string(c.height) + "x" + std::to_string(c.width) + ", " +
                 std::to_string(c.total()) + " to " + std::to_string(c.out));
    auto const exact = c.on(Device::reference());
    for (auto const& device : instruction_sets()) {
        SCOPED_TRACE(device.name());
        auto const answer = c.on(device);
        EXPECT_GT(snr(answer.y, exact.y), least_db);
        for (std::size_t i = 0; i < exact.moments.mean.size(); ++i) {
            double const v = exact.moments.variance[i];
            double const tolerance = std::pow(10, -least_db / 20) * 3;
            EXPECT_NEAR(answer.moments.mean[i], exact.moments.mean[i],
                        tolerance * std::sqrt(v) + 1e-6);
            EXPECT_NEAR(answer.moments.variance[i], v, tolerance * v + 1e-6);
        }
        // The gaps between the rows belong to somebody else.
        for (index p = 0; p < c.height * c.width; ++p)
            for (index g = 0; g < 3; ++g) {
                auto const at = static_cast<std::size_t>(p * (c.out + 3) + c.out + g);
                ASSERT_EQ(answer.y[at], c.before[at]);
            }
    }
}

TEST(Winograd, OfAnySizeIsTheDirectSum) {
    for (auto [height, width] :
         {std::pair{1, 1}, {1, 9}, {2, 3}, {4, 4}, {5, 8}, {7, 31}, {33, 35}})
        expect_exact(Case<float>(height, width, {16}, 32), 110);
}

TEST(Winograd, OfAnyChannelsIsTheDirectSum) {
    for (index in : {1, 3, 8, 15, 17, 64, 129, 200})
        for (index out : {1, 5, 16, 31, 33, 64}) expect_exact(Case<float>(6, 9, {in}, out), 110);
}

TEST(Winograd, OfSeveralSourcesIsThatOfTheirConcatenation) {
    expect_exact(Case<float>(9, 10, {32, 16}, 32), 110);
    expect_exact(Case<float>(9, 10, {3, 7, 130}, 20), 110);
}

TEST(Winograd, AddsToWhatIsThere) {
    expect_exact(Case<float>(10, 13, {24}, 40, true), 110);
}

TEST(Winograd, WithAnyActivation) {
    for (auto a : {Activation::identity(), Activation::relu(), Activation::elu(0.7f)})
        expect_exact(Case<float>(9, 10, {32}, 32, false, a), 110);
}

TEST(Winograd, OfBf16RoundsItsResultOnly) {
    expect_exact(Case<Bf16>(9, 13, {40}, 40), 50);
    expect_exact(Case<Bf16>(9, 13, {37, 5}, 7, true), 50);
}

// As many channels as the layers of a network have.
TEST(Winograd, LosesLittle) {
    for (index channels : {128, 384}) expect_exact(Case<float>(12, 20, {channels}, channels), 115);
}

// Large enough that the weights are kept and not the image, and for several blocks and rounds.
TEST(Winograd, OfManyBlocksIsTheDirectSum) {
    expect_exact(Case<float>(132, 140, {128}, 33), 110);
    expect_exact(Case<float>(50, 90, {700}, 3), 110);
}

TEST(Winograd, DoesNotDependOnTheThreads) {
    for (auto const& c : {Case<float>(40, 50, {48}, 70, true), Case<float>(140, 130, {130}, 40)}) {
        auto const one = c.on(Device::cpu(1));
        for (int threads : {2, 3, 8}) {
            auto const many = c.on(Device::cpu(threads));
            EXPECT_EQ(many.y, one.y) << threads;
            EXPECT_EQ(many.moments.mean, one.moments.mean);
            EXPECT_EQ(many.moments.variance, one.moments.variance);
        }
    }
}

TEST(Winograd, HasTheSameBitsOnInstructionSetsWithFusedMultiplication) {
    if (!runs_here(Isa::avx512)) GTEST_SKIP() << "no AVX-512 here";
    for (auto const& c : {Case<float>(21, 33, {50}, 70, true), Case<float>(9, 8, {128}, 32)}) {
        auto const narrow = c.on(Device::cpu(1, Isa::avx2)),
                   wide = c.on(Device::cpu(1, Isa::avx512));
        EXPECT_EQ(narrow.y, wide.y);
        EXPECT_EQ(narrow.moments.variance, wide.moments.variance);
    }
}

TEST(Winograd, UsesScratchAgain) {
    Case<float> const c(20, 20, {32}, 32);
    Winograd const convolution(c.weights, 32, 32);
    auto y = c.before;
    Scratch scratch;
    auto const run = [&] {
        ASSERT_TRUE(convolution.run<float>(Device::cpu(1), 20, 20, c.sources, false,
                                           {y.data(), 400, 32, 35}, scratch));
    };
    run();
    index const first = scratch.floats();
    auto const expected = y;
    // What another operation left there does no harm.
    std::fill_n(scratch.take(first).value(), first, std::nanf(""));
    run();
    EXPECT_EQ(scratch.floats(), first);
    EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace sluice::nn

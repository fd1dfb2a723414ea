// Batches: each array has the bits it has alone, whatever lies between and however many threads
// there are; and layouts that make no sense, or need more memory than there is, are errors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <thread>

#include "base/test_sanitizer.h"
#include "fft/fft.h"
#include "fft/naive_test.h"

namespace sluice::fft {
namespace {

template <class Real>
class FftBatch : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(FftBatch, Reals);

TYPED_TEST(FftBatch, IsItsArraysAndLeavesTheGaps) {
    using Z = Complex<TypeParam>;
    std::vector<index> const shape{6, 10};
    constexpr index array = 60, step = 67, batch = 9;
    auto const x = random_numbers<Z>((batch - 1) * step + array);
    auto const alone = Plan<TypeParam>::make({shape}).value();
    auto const plan = Plan<TypeParam>::make({.shape = shape, .batch = batch, .step = step}).value();
    for (bool const is_back : {false, true}) {
        auto expected = x;
        for (index i = 0; i < batch; ++i) {
            std::span<Z> const one(expected.data() + i * step, array);
            ASSERT_TRUE(is_back ? alone.inverse(one) : alone.forward(one));
        }
        for (int threads : {1, 2, 5, 16}) {
            auto y = x;
            ASSERT_TRUE(is_back ? plan.inverse(y, threads) : plan.forward(y, threads));
            EXPECT_EQ(y, expected) << threads;
        }
    }
}

TYPED_TEST(FftBatch, OfWindowsThatOverlap) {
    using Z = Complex<TypeParam>;
    constexpr index window = 64, hop = 16, batch = 40, apart = 35;
    Layout const layout{{window}, batch, Numbers::real, hop, apart};
    auto const x = random_numbers<TypeParam>((batch - 1) * hop + window);
    auto const plan = Plan<TypeParam>::make(layout).value();
    auto const alone = Plan<TypeParam>::make({.shape = {window}, .numbers = Numbers::real}).value();
    for (int threads : {1, 3}) {
        std::vector<Z> spectra(plan.sizes().spectrum_extent(), Z(7, 7)), expected = spectra;
        ASSERT_TRUE(plan.forward(x, spectra, threads));
        for (index i = 0; i < batch; ++i)
            ASSERT_TRUE(alone.forward(std::span(x).subspan(i * hop, window),
                                      std::span(expected).subspan(i * apart, 33)));
        EXPECT_EQ(spectra, expected);
    }
}

TYPED_TEST(FftBatch, OfRealSamplesUndoesItself) {
    Layout const layout{{5, 12}, 7, Numbers::real, 61, 40};
    auto const plan = Plan<TypeParam>::make(layout).value();
    auto const x = random_numbers<TypeParam>(plan.sizes().data_extent());
    std::vector<Complex<TypeParam>> spectra(plan.sizes().spectrum_extent());
    auto y = x;
    for (index i = 0; i < 7; ++i) std::fill_n(y.begin() + i * 61, 60, TypeParam{0});
    ASSERT_TRUE(plan.forward(x, spectra, 2));
    ASSERT_TRUE(plan.inverse(spectra, y, 2));
    EXPECT_LT(distance(y, x), 1e-6);
}

TYPED_TEST(FftBatch, PlansAreMadeAndUsedByManyThreads) {
    auto const x = random_numbers<Complex<TypeParam>>(40 * 36);
    auto expected = x;
    auto const shared = Plan<TypeParam>::make({{40, 36}}).value();
    ASSERT_TRUE(shared.forward(expected));
    std::vector<int> wrong(8);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                auto y = x, z = x;
                shared.forward(y).value();
                Plan<TypeParam>::make({{40, 36}}).value().forward(z).value();
                wrong[t] += y != expected || z != expected;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, std::vector<int>(8));
}

std::string why_not(Layout const& layout, Code code = Code::invalid_argument) {
    auto const plan = Plan<double>::make(layout);
    auto const own = Plan<float>::make_own(layout);
    if (plan || own || plan.error().code != code || own.error().code != code) return "a plan";
    EXPECT_EQ(plan.error().message, own.error().message);
    return plan.error().message;
}

TEST(FftErrors, SayWhatMakesNoSense) {
    std::string const cannot = "cannot plan a Fourier transform of ";
    EXPECT_EQ(why_not({{0, 4}}),
              cannot + "1 x 0x4 (an extent is below 1) give extents of 1 or more");
    EXPECT_EQ(why_not({{-3}}), cannot + "1 x -3 (an extent is below 1) give extents of 1 or more");
    EXPECT_EQ(why_not({}), cannot + "1 x  (0 extents) give one to three");
    EXPECT_EQ(why_not({{1, 2, 3, 4}}), cannot + "1 x 1x2x3x4 (4 extents) give one to three");
    EXPECT_EQ(why_not({{4}, 0}), cannot + "0 x 4 (no array) give a batch of 1 or more");
    EXPECT_EQ(why_not({.shape = {4}, .batch = 2, .step = 3}),
              cannot + "2 x 4 (arrays overlap) give a step of an array or more");
    EXPECT_EQ(why_not({{4}, 2, Numbers::real, 4, 2}),
              cannot + "2 x 4 (arrays overlap) give a step of an array or more");
    constexpr index large = index{1} << 40;
    EXPECT_EQ(why_not({{large, large}}),
              cannot + "1 x 1099511627776x1099511627776 (it is too large) give a smaller shape");
    EXPECT_EQ(why_not({{large}, large}), cannot +
                                             "1099511627776 x 1099511627776 (they are too "
                                             "large) give a smaller batch or step");
}

TEST(FftErrors, MemoryThatIsNotThereEndsNothing) {
    if (!may_ask_for_too_much())
        GTEST_SKIP() << "the address sanitizer ends programs that ask for too much";
    // More bytes than a processor has addresses for.
    std::string const no_memory = "no memory for a Fourier transform of ";
    std::string const advice = " (the machine has not enough) use a smaller shape or fewer threads";
    EXPECT_EQ(why_not({{index{1} << 25, index{1} << 25}}, Code::out_of_memory),
              no_memory + "33554432x33554432" + advice);
    auto const line = Plan<double>::make_own({{index{1} << 50}});
    ASSERT_FALSE(line);
    EXPECT_EQ(line.error().message, no_memory + "1125899906842624" + advice);
}

TEST(FftDeathTest, AnotherSizeEndsTheProgram) {
    std::vector<Complex<double>> x(24);
    std::vector<double> samples(24);
    auto const plan = Plan<double>::make({{6, 4}}).value();
    EXPECT_DEATH((void)plan.forward(std::span(x).first(23)), "");
    EXPECT_DEATH((void)plan.inverse(x, samples), "");
    Layout const windows{{8}, 3, Numbers::real, 4};
    auto const overlapping = Plan<double>::make(windows).value();
    EXPECT_DEATH((void)overlapping.inverse(std::span(x).first(15), std::span(samples).first(16)),
                 "");
}

}  // namespace
}  // namespace sluice::fft

// Transforms of squares beside the definition and beside Plan in double, for each instruction set
// that runs here; their bits, whatever the batch and the threads; and sides without kernels.
// SPDX-License-Identifier: Apache-2.0
#include "fft/squares/squares.h"

#include <gtest/gtest.h>

#include "fft/fft.h"
#include "fft/naive_test.h"
#include "fft/squares/roots.h"
#include "fft/squares/tile.h"

namespace sluice::fft {
namespace {

using Z = Complex<float>;
constexpr double rounding = 1e-6;

/// Calls test(squares of a side and an instruction set) for all of both.
template <class Test>
void each_kind(Test const& test) {
    for (Isa const isa : compiled_isas())
        for (index const side : square_sides) {
            if (!runs_here(isa)) continue;
            SCOPED_TRACE(std::string(name_of(isa)) + " " + std::to_string(side));
            test(Squares::make(side, isa).value());
        }
}

std::vector<Complex<double>> wide(std::vector<Z> const& x) {
    return {x.begin(), x.end()};
}

TEST(FftSquares, AreWhatPlanInDoubleGives) {
    each_kind([](Squares const& squares) {
        index const n = squares.side();
        auto const x = random_numbers<Z>(n * n);
        auto const plan = Plan<double>::make_own({{n, n}}).value();
        for (bool const is_back : {false, true}) {
            auto y = x;
            auto expected = wide(x);
            ASSERT_TRUE(is_back ? squares.inverse(y) : squares.forward(y));
            ASSERT_TRUE(is_back ? plan.inverse(expected) : plan.forward(expected));
            EXPECT_LT(distance(y, expected), rounding) << is_back;
        }
    });
}

TEST(FftSquares, AreTheSumThatDefinesThem) {
    each_kind([](Squares const& squares) {
        index const n = squares.side();
        if (n > 128) return;
        auto y = random_numbers<Z>(n * n);
        auto const expected = naive({n, n}, y.data());
        ASSERT_TRUE(squares.forward(y));
        EXPECT_LT(distance(y, expected), rounding);
    });
}

TEST(FftSquares, UndoThemselves) {
    each_kind([](Squares const& squares) {
        auto const x = random_numbers<Z>(squares.side() * squares.side());
        auto y = x;
        ASSERT_TRUE(squares.forward(y));
        ASSERT_TRUE(squares.inverse(y));
        EXPECT_LT(distance(y, x), rounding);
        ASSERT_TRUE(squares.inverse(y));
        ASSERT_TRUE(squares.forward(y));
        EXPECT_LT(distance(y, x), rounding);
    });
}

TEST(FftSquares, AreLinear) {
    each_kind([](Squares const& squares) {
        auto const count = squares.side() * squares.side();
        auto a = random_numbers<Z>(count, 1), b = random_numbers<Z>(count, 2);
        Z const s(2, -1), t(0.5F, 3);
        std::vector<Z> both(count), sum(count);
        for (index i = 0; i < count; ++i) both[i] = s * a[i] + t * b[i];
        for (auto* const all : {&a, &b, &both}) ASSERT_TRUE(squares.forward(*all));
        for (index i = 0; i < count; ++i) sum[i] = s * a[i] + t * b[i];
        EXPECT_LT(distance(both, sum), rounding);
    });
}

// A wave is one peak, at its own place, and a peak is a wave.
TEST(FftSquares, OfWavesArePeaks) {
    each_kind([](Squares const& squares) {
        index const n = squares.side();
        for (auto const [k, l] : {std::array<index, 2>{0, 0},
                                  {1, 0},
                                  {0, 1},
                                  {3, 17},
                                  {16, 5},
                                  {n / 2, n / 2 - 1},
                                  {n - 1, 4},
                                  {37, n - 2}}) {
            std::vector<Z> wave(n * n), peak(n * n);
            for (index r = 0; r < n; ++r)
                for (index c = 0; c < n; ++c) {
                    double const turns = static_cast<double>((k * r + l * c) % n) / n;
                    wave[r * n + c] = Z(std::polar(1.0, 2 * std::numbers::pi * turns));
                }
            peak[k * n + l] = static_cast<float>(n * n);
            auto y = wave;
            ASSERT_TRUE(squares.forward(y));
            EXPECT_LT(distance(y, peak), rounding) << k << " " << l;
            ASSERT_TRUE(squares.inverse(peak));
            EXPECT_LT(distance(peak, wave), rounding) << k << " " << l;
        }
    });
}

// One pass over columns instead of two, and the same arithmetic.
TEST(FftSquares, FilteredInOneHaveTheSameBits) {
    each_kind([](Squares const& squares) {
        auto const count = squares.side() * squares.side();
        auto a = random_numbers<Z>(count, 3), b = a;
        auto const factors = random_numbers<Z>(count, 4);
        ASSERT_TRUE(squares.filter(a, factors));
        ASSERT_TRUE(squares.forward(b));
        for (index i = 0; i < count; ++i) {
            Z const x = b[i], f = factors[i];
            b[i] = Z(x.real() * f.real() - x.imag() * f.imag(),
                     x.real() * f.imag() + x.imag() * f.real());
        }
        ASSERT_TRUE(squares.inverse(b));
        EXPECT_EQ(a, b);
    });
}

TEST(FftSquares, HaveTheSameBitsInAnyBatch) {
    constexpr index batch = 7;
    each_kind([](Squares const& squares) {
        auto const count = squares.side() * squares.side();
        auto const x = random_numbers<Z>(batch * count);
        for (bool const is_back : {false, true}) {
            auto const run = [&](std::span<Z> some, int threads) {
                return is_back ? squares.inverse(some, threads) : squares.forward(some, threads);
            };
            auto expected = x;
            for (index i = 0; i < batch; ++i)
                ASSERT_TRUE(run(std::span(expected).subspan(i * count, count), 1));
            for (index const some : {index{3}, batch})
                for (int const threads : {0, 1, 2, 5, 16}) {
                    auto y = x;
                    ASSERT_TRUE(run(std::span(y).first(some * count), threads));
                    EXPECT_TRUE(std::equal(y.begin(), y.begin() + some * count, expected.begin()))
                        << some << " squares, " << threads << " threads";
                    EXPECT_TRUE(
                        std::equal(y.begin() + some * count, y.end(), x.begin() + some * count));
                }
        }
        EXPECT_TRUE(squares.forward({}));
    });
}

TEST(FftSquares, MeetEachPlaceOfTheirSpectrumOnce) {
    for (index const side : square_sides) {
        std::vector<bool> met(side * side);
        for (index i = 0; i < side * side; ++i) met[natural_place(side, i)] = true;
        EXPECT_EQ(std::count(met.begin(), met.end(), true), side * side);
    }
    // As the passes name it.
    for (index slot : {0, 1, 7, 100, 191}) {
        Spot<192> const spot{5, slot, 11};
        EXPECT_EQ(natural_place(192, spot.number()), spot.natural());
        EXPECT_EQ(spot.pair(), spot.number() / 16 * 32 + spot.number() % 16);
    }
}

TEST(FftSquares, OfOtherSidesAreRefused) {
    for (index const side : {-64, 0, 1, 16, 32, 96, 127, 160, 224, 320, 512}) {
        auto const squares = Squares::make(side);
        ASSERT_FALSE(squares) << side;
        EXPECT_EQ(squares.error().code, Code::invalid_argument);
        EXPECT_EQ(
            squares.error().message,
            "cannot transform squares of " + std::to_string(side) +
                " a side (there are kernels for 64, 128, 192, 256) use one of these sides, or "
                "Plan");
    }
}

TEST(FftSquaresDeathTest, APartOfASquareEndsTheProgram) {
    std::vector<Z> x(64 * 64 + 1);
    auto const squares = Squares::make(64).value();
    EXPECT_DEATH((void)squares.forward(x), "");
    EXPECT_DEATH((void)squares.filter(std::span(x).first(64 * 64), x), "");
}

}  // namespace
}  // namespace sluice::fft

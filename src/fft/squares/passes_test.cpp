// The passes as a caller's kernel uses them: spectra kept in the tile between two passes over
// columns, several at a time, rows back and forward, and what is said ahead.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

// As a *.isa.cpp file, for what every processor has.
#define SLUICE_ISA passes_test

#include "fft/naive_test.h"
#include "fft/squares/columns.h"
#include "fft/squares/rows.h"

namespace sluice::fft::SLUICE_ISA {
namespace {

using Numbers = std::vector<float>;

/// Squares that lie as [re, im][row][column], and a tile for each.
template <index N>
struct Passes {
    static constexpr index area = N * N;
    Roots const& roots = roots_of_square(N);
    Numbers memory = Numbers(Tile<N>::floats);
    Tile<N> tile{memory.data()};

    void begin(Numbers const& x) const {
        rows_forward(roots, tile, [&](index row, index column, Floats& re, Floats& im) {
            re = load(x.data() + row * N + column);
            im = load(x.data() + area + row * N + column);
        });
    }
    Numbers end() const {
        Numbers x(2 * area);
        rows_inverse(roots, tile, [&](index row, index column, Floats const& re, Floats const& im) {
            save(re, x.data() + row * N + column);
            save(im, x.data() + area + row * N + column);
        });
        return x;
    }
    // The spectrum stays in the tile; adds its squares in the order of the passes.
    void keep(Numbers& sum) const {
        columns_forward(roots, tile, [&](Spot<N> spot, Floats const& re, Floats const& im) {
            float* const kept = tile.at(spot);
            save(re, kept);
            save(im, kept + 16);
            float* const to = sum.data() + spot.number();
            save(load(to) + (re * re + im * im), to);
        });
    }
    void release(Numbers const& factors) const {
        columns_inverse(roots, tile, [&](Spot<N> spot, Floats& re, Floats& im) {
            Floats const factor = load(factors.data() + spot.number());
            re = load(tile.at(spot)) * factor;
            im = load(tile.at(spot) + 16) * factor;
        });
    }
    void in_one(Numbers const& factors) const {
        columns(roots, tile, [&](Spot<N> spot, Floats& re, Floats& im) {
            Floats const factor = load(factors.data() + spot.number());
            re *= factor;
            im *= factor;
        });
    }
};

template <index N>
void expect_same_in_one() {
    Passes<N> one, two;
    Numbers const x = random_numbers<float>(2 * N * N, 1), y = random_numbers<float>(2 * N * N, 2);
    Numbers sum(N * N);
    one.begin(x), one.keep(sum);
    two.begin(y), two.keep(sum);
    one.release(sum), two.release(sum);
    Numbers const ends[] = {one.end(), two.end()};
    one.begin(x), one.in_one(sum);
    EXPECT_EQ(one.end(), ends[0]);
    one.begin(y), one.in_one(sum);
    EXPECT_EQ(one.end(), ends[1]);
    // Parseval: each of the two squares' energies times the count of numbers.
    double const all = std::accumulate(sum.begin(), sum.end(), 0.0);
    auto const expected = static_cast<double>(energy(x) + energy(y)) * N * N;
    EXPECT_NEAR(all / expected, 1, 1e-6);
}

TEST(FftSquaresPasses, KeepSpectraThatMeet) {
    expect_same_in_one<64>();
    expect_same_in_one<192>();
}

// Rows back, changed and forward again in one pass, a part of the rows at a time; and rows that
// begin with the last.
template <index N>
void expect_same_rows() {
    Passes<N> one, two;
    Numbers const x = random_numbers<float>(2 * N * N, 4);
    Numbers between(2 * N * N);
    one.begin(x);
    for (index first = 0; first < N; first += N / 4)
        some_rows(one.roots, one.tile, first, first + N / 4,
                  [&](index row, index column, Floats& re, Floats& im) {
                      save(re, between.data() + row * N + column);
                      save(im, between.data() + N * N + row * N + column);
                      re = re * 0.25F;
                      im = im * -0.5F;
                  });
    two.begin(x);
    EXPECT_EQ(between, two.end());
    Numbers changed = between;
    for (index i = 0; i < 2 * N * N; ++i)
        changed[static_cast<std::size_t>(i)] *= i < N * N ? 0.25F : -0.5F;
    rows_forward<true>(two.roots, two.tile, [&](index row, index column, Floats& re, Floats& im) {
        re = load(changed.data() + row * N + column);
        im = load(changed.data() + N * N + row * N + column);
    });
    EXPECT_EQ(one.memory, two.memory);
}

TEST(FftSquaresPasses, GoBackAndForwardInOne) {
    expect_same_rows<64>();
    expect_same_rows<128>();
    expect_same_rows<192>();
    expect_same_rows<256>();
}

// All sixteens of a square but the first rows', each once; then rows that are not there.
template <index N, index first>
void expect_all_told() {
    Passes<N> passes;
    std::vector<int> forward(N * N / 16 + N), inverse = forward;
    auto const nothing = [](index, index, Floats& re, Floats& im) { re = im = Floats{}; };
    auto const nowhere = [](index, index, Floats const&, Floats const&) {};
    rows_forward(passes.roots, passes.tile, nothing,
                 [&](index row, index column) { ++forward[(row * N + column) / 16]; });
    rows_inverse(passes.roots, passes.tile, nowhere,
                 [&](index row, index column) { ++inverse[(row * N + column) / 16]; });
    for (index i = 0; i < N * N / 16; ++i) EXPECT_EQ(forward[i], i * 16 >= first * N) << i;
    EXPECT_EQ(inverse, forward);
}

TEST(FftSquaresPasses, SayAheadWhatTheyNeed) {
    expect_all_told<64, 4>();
    expect_all_told<192, 4>();
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA

// The passes over a square's columns: a tile's, to its spectrum and back, apart or with something
// done to the spectrum in between; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/squares/radix.h"
#include "fft/squares/roots.h"
#include "fft/squares/tile.h"

// A column of N = 16 m numbers x(m j + c): transforms of 16 numbers along j, in place; then, with
// roots, of the m neighbours c of each remainder k of 16, which give X(k + 16 l) at the slot m k +
// l. The way back does the same in reverse order, with re and im exchanged. Nothing is scaled.

namespace sluice::fft::SLUICE_ISA {
namespace {

/// Numbers of a tile's columns, `step` rows apart, `lanes` columns.
template <index n>
[[gnu::always_inline]] inline void load_rows(float const* from, index step, Floats (&re)[n],
                                             Floats (&im)[n]) {
#pragma GCC unroll 16
    for (index i = 0; i < n; ++i) {
        re[i] = load(from + 32 * step * i);
        im[i] = load(from + 32 * step * i + 16);
    }
}
/// Those that radix() left in its places.
template <index n>
[[gnu::always_inline]] inline void save_rows(Floats const (&re)[n], Floats const (&im)[n],
                                             float* to, index step) {
#pragma GCC unroll 16
    for (index i = 0; i < n; ++i) {
        save(re[place<n>(i)], to + 32 * step * i);
        save(im[place<n>(i)], to + 32 * step * i + 16);
    }
}

/// The first half of the way forward, of one block.
template <index N>
[[gnu::always_inline]] inline void columns_begin(float* block) {
    constexpr index m = N / 16;
    for (index c = 0; c < m; ++c)
        for (index lane = 0; lane < 16; lane += lanes) {
            Floats re[16], im[16];
            load_rows(block + 32 * c + lane, m, re, im);
            radix(re, im, UnitRoots{});
            save_rows(re, im, block + 32 * c + lane, m);
        }
}
/// The last half of the way back.
template <index N>
[[gnu::always_inline]] inline void columns_end(Roots const& roots, float* block) {
    constexpr index m = N / 16;
    for (index c = 0; c < m; ++c)
        for (index lane = 0; lane < 16; lane += lanes) {
            Floats re[16], im[16];
            load_rows(block + 32 * c + lane, m, re, im);
            radix(im, re, ScalarRoots{roots.columns_inverse + 16 * c});
            save_rows(re, im, block + 32 * c + lane, m);
        }
}
/// The second half of the way forward: m neighbours.
template <index m>
[[gnu::always_inline]] inline void columns_meet(Roots const& roots, index k, float const* from,
                                                Floats (&re)[m], Floats (&im)[m]) {
    load_rows(from, 1, re, im);
    radix(re, im, ScalarRoots{roots.columns_forward + root_floats(m) * k});
}
/// The first half of the way back, from numbers in their natural order.
template <index m>
[[gnu::always_inline]] inline void columns_leave(Floats (&re)[m], Floats (&im)[m], float* to) {
    radix(im, re, UnitRoots{});
    save_rows(re, im, to, 1);
}

/// work(k, block, lane, where the first of the m neighbours is) for a block's remainders k of 16.
template <class Work, index N>
[[gnu::always_inline]] inline void each_remainder(Tile<N> t, index block, Work const& work) {
    for (index k = 0; k < 16; ++k)
        for (index lane = 0; lane < 16; lane += lanes)
            work(k, lane, t.at(N / 16 * k, 16 * block) + lane);
}

/// put(Spot<N>, re, im) takes `lanes` numbers of the spectrum; the tile is used up.
template <index N, class Put>
[[gnu::always_inline]] inline void columns_forward(Roots const& roots, Tile<N> t, Put const& put) {
    constexpr index m = N / 16;
    for (index block = 0; block < m; ++block) {
        columns_begin<N>(t.at(0, 16 * block));
        each_remainder(
            t, block, [&](index k, index lane, float* at) __attribute__((always_inline)) {
                Floats re[m], im[m];
                columns_meet(roots, k, at, re, im);
#pragma GCC unroll 16
                for (index l = 0; l < m; ++l)
                    put(Spot<N>{block, m * k + l, lane}, re[place<m>(l)], im[place<m>(l)]);
            });
    }
}

/// take(Spot<N>, re, im) gives `lanes` numbers of the spectrum.
template <index N, class Take>
[[gnu::always_inline]] inline void columns_inverse(Roots const& roots, Tile<N> t,
                                                   Take const& take) {
    constexpr index m = N / 16;
    for (index block = 0; block < m; ++block) {
        each_remainder(
            t, block, [&](index k, index lane, float* at) __attribute__((always_inline)) {
                Floats re[m], im[m];
#pragma GCC unroll 16
                for (index l = 0; l < m; ++l) take(Spot<N>{block, m * k + l, lane}, re[l], im[l]);
                columns_leave(re, im, at);
            });
        columns_end<N>(roots, t.at(0, 16 * block));
    }
}

/// Forward and back; middle(Spot<N>, re, im) changes `lanes` numbers of the spectrum in between.
template <index N, class Middle>
[[gnu::always_inline]] inline void columns(Roots const& roots, Tile<N> t, Middle const& middle) {
    constexpr index m = N / 16;
    for (index block = 0; block < m; ++block) {
        columns_begin<N>(t.at(0, 16 * block));
        each_remainder(
            t, block, [&](index k, index lane, float* at) __attribute__((always_inline)) {
                Floats re[m], im[m], natural_re[m], natural_im[m];
                columns_meet(roots, k, at, re, im);
#pragma GCC unroll 16
                for (index l = 0; l < m; ++l) {
                    natural_re[l] = re[place<m>(l)], natural_im[l] = im[place<m>(l)];
                    middle(Spot<N>{block, m * k + l, lane}, natural_re[l], natural_im[l]);
                }
                columns_leave(natural_re, natural_im, at);
            });
        columns_end<N>(roots, t.at(0, 16 * block));
    }
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA

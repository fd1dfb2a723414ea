// The passes over a square's rows: from what the caller loads into a tile, from there to what it
// stores, or back and forward again with something done in between; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/squares/pieces.h"
#include "fft/squares/radix.h"
#include "fft/squares/roots.h"
#include "fft/squares/tile.h"
#include "fft/squares/transpose.h"

// A row of N = 16 m numbers x(16 j + c): transforms of m numbers along j, all c side by side;
// turned on its side, sixteen remainders k of m to a register; then transforms of 16 numbers along
// c, with roots. X(k + m l) ends in lane k of register l. As many rows go together as fill the
// registers. The way back does the same in reverse order, with re and im exchanged. Nothing is
// scaled: rows and columns, forward and back, give N * N times the square.

namespace sluice::fft::SLUICE_ISA {
namespace {

template <index N>
struct RowGroup {
    static constexpr index m = N / 16;
    static constexpr index rows = m == 16 ? 1 : m == 8 ? 2 : 4;
    static constexpr index parts = 16 / lanes;             ///< registers for sixteen numbers
    static constexpr index sets = rows * m / 16;           ///< of sixteen remainders each
    static constexpr index together = m % 8 == 0 ? m : 4;  ///< that are neighbours in a tile
    static constexpr index piece = together < lanes ? together : lanes;

    alignas(64) float numbers[sets * 16 * 32];  ///< [row][k][16 re, 16 im]

    /// Where X(k + m l) is in a tile; v counts the remainders k through the rows of a group.
    [[gnu::always_inline]] static float* at(Tile<N> t, index row, index v, index l) {
        return t.at(row + v / m, v % m + m * l);
    }
};

/// The two cache lines of sixteen numbers of a tile, which may lie behind it.
[[gnu::always_inline, maybe_unused]] inline void prefetch(float const* tile) {
    __builtin_prefetch(tile);
    __builtin_prefetch(tile + 16);
}

/// Does nothing ahead.
struct Nothing {
    [[gnu::always_inline]] void operator()(index, index) const {}
};

/// The first half of the way forward: m numbers of a row, 16 apart.
template <index m>
[[gnu::always_inline]] inline void rows_begin(Floats (&re)[m], Floats (&im)[m], float* to) {
    radix(re, im, UnitRoots{});
#pragma GCC unroll 16
    for (index k = 0; k < m; ++k) {
        save(re[place<m>(k)], to + 32 * k);
        save(im[place<m>(k)], to + 32 * k + 16);
    }
}
/// The second half, into the tile; `after` are the rows after these.
template <index N, class Ahead>
[[gnu::always_inline]] inline void rows_meet(Roots const& roots, Tile<N> t, index row, index after,
                                             RowGroup<N> const& group, Ahead const& ahead) {
    using Group = RowGroup<N>;
    constexpr index m = Group::m;
#pragma GCC unroll 3
    for (index set = 0; set < Group::sets; ++set)
        for (index v = 16 * set; v < 16 * set + 16; v += lanes) {
            Floats re[16], im[16];
            load_turned<32>(group.numbers + v * 32, re);
            load_turned<32>(group.numbers + v * 32 + 16, im);
            radix(re, im, LaneRoots{roots.rows_forward + set * 256 + v % 16});
#pragma GCC unroll 16
            for (index l = 0; l < 16; ++l) {
                if (l % Group::parts == v % 16 / lanes) {
                    index const next = after + (16 * set + l) / m;
                    index const column = (16 * set + l) % m * 16;
                    prefetch(t.at(next, column));
                    ahead(next, column);
                }
                each_piece<Group::piece>([&](auto i) __attribute__((always_inline)) {
                    float* const to = Group::at(t, row, v + i, l);
                    save_piece<Group::piece, i>(re[place<16>(l)], to);
                    save_piece<Group::piece, i>(im[place<16>(l)], to + 16);
                });
            }
        }
}
/// The first half of the way back, out of the tile.
template <index N>
[[gnu::always_inline]] inline void rows_leave(Tile<N> t, index row, RowGroup<N>& group) {
    using Group = RowGroup<N>;
#pragma GCC unroll 3
    for (index set = 0; set < Group::sets; ++set)
        for (index v = 16 * set; v < 16 * set + 16; v += lanes) {
            Floats re[16], im[16];
#pragma GCC unroll 16
            for (index l = 0; l < 16; ++l) {
                auto const at = [&](index i) __attribute__((always_inline)) {
                    return Group::at(t, row, v + i, l);
                };
                auto const at_im = [&](index i) __attribute__((always_inline)) {
                    return at(i) + 16;
                };
                re[l] = load_pieces<lanes, Group::piece>(at);
                im[l] = load_pieces<lanes, Group::piece>(at_im);
            }
            radix(im, re, UnitRoots{});
            save_turned<32>(re, place<16>, group.numbers + v * 32);
            save_turned<32>(im, place<16>, group.numbers + v * 32 + 16);
        }
}
/// The second half: m numbers of a row, 16 apart, of which number j ends at place<m>(j).
template <index m>
[[gnu::always_inline]] inline void rows_end(Roots const& roots, index c, float const* from,
                                            Floats (&re)[m], Floats (&im)[m]) {
#pragma GCC unroll 16
    for (index k = 0; k < m; ++k) {
        re[k] = load(from + 32 * k);
        im[k] = load(from + 32 * k + 16);
    }
    radix(im, re, LaneRoots{roots.rows_inverse + c});
}

/// load_at(row, column, re, im) gives the `lanes` numbers of a row from `column` on.
/// ahead(row, column) is told amid the arithmetic which sixteen numbers will be loaded soon: it may
/// prefetch them. Its last rows are beyond the square. `upwards` begins with the last rows: the
/// caches have what was needed last.
template <bool upwards = false, index N, class Load, class Ahead = Nothing>
[[gnu::always_inline]] inline void rows_forward(Roots const& roots, Tile<N> t, Load const& load_at,
                                                Ahead const& ahead = {}) {
    constexpr index m = RowGroup<N>::m;
    RowGroup<N> group;
    for (index i = 0; i < N; i += group.rows) {
        index const row = upwards ? N - group.rows - i : i;
        for (index r = 0; r < group.rows; ++r)
            for (index c = 0; c < 16; c += lanes) {
                Floats re[m], im[m];
#pragma GCC unroll 16
                for (index j = 0; j < m; ++j) load_at(row + r, 16 * j + c, re[j], im[j]);
                rows_begin(re, im, group.numbers + r * m * 32 + c);
            }
        rows_meet(roots, t, row, upwards ? row - group.rows : row + group.rows, group, ahead);
    }
}

/// Rows `first` to `last` - 1, multiples of 4. store_at(row, column, re, im) takes the `lanes`
/// numbers of a row from `column` on. `ahead` is told what will be stored soon, in the same way.
template <index N, class Store, class Ahead = Nothing>
[[gnu::always_inline]] inline void some_rows_inverse(Roots const& roots, Tile<N> t, index first,
                                                     index last, Store const& store_at,
                                                     Ahead const& ahead = {}) {
    constexpr index m = RowGroup<N>::m, parts = RowGroup<N>::parts;
    RowGroup<N> group;
    for (index row = first; row < last; row += group.rows) {
        rows_leave(t, row, group);
        for (index r = 0; r < group.rows; ++r)
            for (index c = 0; c < 16; c += lanes) {
                Floats re[m], im[m];
                rows_end(roots, c, group.numbers + r * m * 32 + c, re, im);
#pragma GCC unroll 16
                for (index j = 0; j < m; ++j) {
                    if (j % parts == c / lanes) ahead(row + group.rows + r, 16 * j);
                    store_at(row + r, 16 * j + c, re[place<m>(j)], im[place<m>(j)]);
                }
            }
    }
}

/// Back and forward: middle(row, column, re, im) changes `lanes` numbers of a row in between.
template <index N, class Middle, class Ahead = Nothing>
[[gnu::always_inline]] inline void some_rows(Roots const& roots, Tile<N> t, index first, index last,
                                             Middle const& middle, Ahead const& ahead = {}) {
    constexpr index m = RowGroup<N>::m;
    RowGroup<N> group;
    for (index row = first; row < last; row += group.rows) {
        rows_leave(t, row, group);
        for (index r = 0; r < group.rows; ++r)
            for (index c = 0; c < 16; c += lanes) {
                Floats re[m], im[m], natural_re[m], natural_im[m];
                float* const numbers = group.numbers + r * m * 32 + c;
                rows_end(roots, c, numbers, re, im);
#pragma GCC unroll 16
                for (index j = 0; j < m; ++j) {
                    natural_re[j] = re[place<m>(j)], natural_im[j] = im[place<m>(j)];
                    middle(row + r, 16 * j + c, natural_re[j], natural_im[j]);
                }
                rows_begin(natural_re, natural_im, numbers);
            }
        rows_meet(roots, t, row, row + group.rows, group, ahead);
    }
}

/// All rows.
template <index N, class Store, class Ahead = Nothing>
[[gnu::always_inline]] inline void rows_inverse(Roots const& roots, Tile<N> t,
                                                Store const& store_at, Ahead const& ahead = {}) {
    some_rows_inverse(roots, t, 0, N, store_at, ahead);
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA

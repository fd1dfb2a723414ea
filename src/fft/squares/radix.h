// Transforms of 4, 8, 12 or 16 numbers, each a register of floats; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>
#include <type_traits>

#include "fft/squares/lanes.h"

// x_j goes to X_k = sum of x_j (z w^k)^j, w = exp(-2 pi i / n). A half of the points are square
// roots of one number y, a half those of -y: so a polynomial splits into two of half the degree,
// p_j + y p_(j + n/2) and p_j - y p_(j + n/2), in place. X_k ends at place<n>(k). Who exchanges re
// and im gets the inverse transform, at conjugated points.

namespace sluice::fft::SLUICE_ISA {
namespace {

/// A root cos - i sin as cos (1 - i tan).
struct Turn {
    Floats cos, tan;
};
/// The root 1, which costs nothing.
struct NoTurn {};

/// From a table of roots, of which each float belongs to all lanes.
struct ScalarRoots {
    float const* at;
    [[gnu::always_inline]] Floats number(index i) const { return all_of(at[i]); }
    template <index i>
    [[gnu::always_inline]] Turn turn() const {
        return {number(2 * i), number(2 * i + 1)};
    }
};
/// From a table that has 16 lanes side by side.
struct LaneRoots {
    float const* at;
    [[gnu::always_inline]] Floats number(index i) const { return load(at + 16 * i); }
    template <index i>
    [[gnu::always_inline]] Turn turn() const {
        return {number(2 * i), number(2 * i + 1)};
    }
};
/// Of z = 1.
struct UnitRoots {};

// The numbers i of a table, at z = 1, for n = 2^m.
template <index i>
[[gnu::always_inline]] inline auto unit_turn() {
    using std::numbers::sqrt2;
    constexpr double cos_1 = 0.92387953251128675613, sin_1 = 0.38268343236508977173;  // pi / 8
    if constexpr (i == 3 || i == 6)
        return Turn{all_of(static_cast<float>(sqrt2 / 2)), all_of(1)};
    else if constexpr (i == 5)
        return Turn{all_of(static_cast<float>(cos_1)), all_of(static_cast<float>(sin_1 / cos_1))};
    else if constexpr (i == 7)
        return Turn{all_of(static_cast<float>(sin_1)), all_of(static_cast<float>(cos_1 / sin_1))};
    else
        return NoTurn{};
}
// The halves' and quarters' of a third of twelve numbers, at z = 1.
template <index i>
[[gnu::always_inline]] inline auto unit_turn_of_twelve() {
    constexpr auto half = 0.5F, root = static_cast<float>(std::numbers::sqrt3);
    if constexpr (i == 2 || i == 5)
        return Turn{all_of(half), all_of(root)};
    else if constexpr (i == 3)
        return Turn{all_of(root / 2), all_of(static_cast<float>(std::numbers::inv_sqrt3))};
    else if constexpr (i == 4)
        return Turn{all_of(-half), all_of(-root)};
    else
        return NoTurn{};
}
template <index n, index i, class Table>
[[gnu::always_inline]] inline auto turn_of(Table const& roots) {
    if constexpr (n == 12 && std::is_same_v<Table, UnitRoots>)
        return unit_turn_of_twelve<i>();
    else if constexpr (std::is_same_v<Table, UnitRoots>)
        return unit_turn<i>();
    else
        return roots.template turn < n == 12 ? i + 3 : i > ();
}

// a + y b and a - y b; y is the root, or the root times -i.
template <index a, index b, bool by_minus_i, index n>
[[gnu::always_inline]] inline void split(Floats (&re)[n], Floats (&im)[n], Turn const& y) {
    Floats const u = fused(y.tan, im[b], re[b]), v = fused_less(y.tan, re[b], im[b]);
    Floats const ar = re[a], ai = im[a];
    if constexpr (by_minus_i) {
        re[a] = fused(y.cos, v, ar), im[a] = fused_less(y.cos, u, ai);
        re[b] = fused_less(y.cos, v, ar), im[b] = fused(y.cos, u, ai);
    } else {
        re[a] = fused(y.cos, u, ar), im[a] = fused(y.cos, v, ai);
        re[b] = fused_less(y.cos, u, ar), im[b] = fused_less(y.cos, v, ai);
    }
}
template <index a, index b, bool by_minus_i, index n>
[[gnu::always_inline]] inline void split(Floats (&re)[n], Floats (&im)[n], NoTurn) {
    Floats const ar = re[a], ai = im[a], br = re[b], bi = im[b];
    if constexpr (by_minus_i) {
        re[a] = ar + bi, im[a] = ai - br;
        re[b] = ar - bi, im[b] = ai + br;
    } else {
        re[a] = ar + br, im[a] = ai + bi;
        re[b] = ar - br, im[b] = ai - bi;
    }
}

// Two levels: the four numbers from `at` on, `apart` apart.
template <index at, index apart, bool by_minus_i, index n, class First, class Second>
[[gnu::always_inline]] inline void split_twice(Floats (&re)[n], Floats (&im)[n], First const& first,
                                               Second const& second) {
    split<at, at + 2 * apart, by_minus_i>(re, im, first);
    split<at + apart, at + 3 * apart, by_minus_i>(re, im, first);
    split<at, at + apart, false>(re, im, second);
    split<at + 2 * apart, at + 3 * apart, true>(re, im, second);
}

template <class Table>
[[gnu::always_inline]] inline void radix(Floats (&re)[4], Floats (&im)[4], Table const& roots) {
    split_twice<0, 1, false>(re, im, turn_of<4, 0>(roots), turn_of<4, 1>(roots));
}

template <class Table>
[[gnu::always_inline]] inline void radix(Floats (&re)[8], Floats (&im)[8], Table const& roots) {
    auto const half = turn_of<8, 0>(roots);
    split<0, 4, false>(re, im, half);
    split<1, 5, false>(re, im, half);
    split<2, 6, false>(re, im, half);
    split<3, 7, false>(re, im, half);
    split_twice<0, 1, false>(re, im, turn_of<8, 1>(roots), turn_of<8, 2>(roots));
    split_twice<4, 1, true>(re, im, turn_of<8, 1>(roots), turn_of<8, 3>(roots));
}

template <class Table>
[[gnu::always_inline]] inline void radix(Floats (&re)[16], Floats (&im)[16], Table const& roots) {
    auto const half = turn_of<16, 0>(roots);
    auto const quarter = turn_of<16, 1>(roots);
    split_twice<0, 4, false>(re, im, half, quarter);
    split_twice<1, 4, false>(re, im, half, quarter);
    split_twice<2, 4, false>(re, im, half, quarter);
    split_twice<3, 4, false>(re, im, half, quarter);
    split_twice<0, 1, false>(re, im, turn_of<16, 2>(roots), turn_of<16, 4>(roots));
    split_twice<4, 1, true>(re, im, turn_of<16, 2>(roots), turn_of<16, 6>(roots));
    split_twice<8, 1, false>(re, im, turn_of<16, 3>(roots), turn_of<16, 5>(roots));
    split_twice<12, 1, true>(re, im, turn_of<16, 3>(roots), turn_of<16, 7>(roots));
}

// Thirds: p_j + y p_(j + 4) + y^2 p_(j + 8), for y and the two other roots of y^3.
template <index j>
[[gnu::always_inline]] inline void split_in_three(Floats (&re)[12], Floats (&im)[12],
                                                  Floats const& sr, Floats const& si,
                                                  Floats const& dr, Floats const& di,
                                                  Floats const& cos, Floats const& half,
                                                  Floats const& slant) {
    Floats const mr = fused_less(half, sr, re[j]), mi = fused_less(half, si, im[j]);
    re[j] = fused(cos, sr, re[j]), im[j] = fused(cos, si, im[j]);
    re[j + 4] = fused(slant, di, mr), im[j + 4] = fused_less(slant, dr, mi);
    re[j + 8] = fused_less(slant, di, mr), im[j + 8] = fused(slant, dr, mi);
}
template <index j, class Table>
[[gnu::always_inline]] inline void thirds(Floats (&re)[12], Floats (&im)[12], Table const& roots) {
    Floats const &ar = re[j + 4], &ai = im[j + 4], &br = re[j + 8], &bi = im[j + 8];
    if constexpr (std::is_same_v<Table, UnitRoots>) {
        split_in_three<j>(re, im, ar + br, ai + bi, ar - br, ai - bi, all_of(1), all_of(0.5F),
                          all_of(static_cast<float>(std::numbers::sqrt3 / 2)));
    } else {
        Floats const y = roots.number(0), square = roots.number(1), ratio = roots.number(2);
        Floats const ur = fused(y, ai, ar), ui = fused_less(y, ar, ai);
        Floats const vr = fused(square, bi, br), vi = fused_less(square, br, bi);
        split_in_three<j>(re, im, fused(ratio, vr, ur), fused(ratio, vi, ui),
                          fused_less(ratio, vr, ur), fused_less(ratio, vi, ui), roots.number(3),
                          roots.number(4), roots.number(5));
    }
}

template <class Table>
[[gnu::always_inline]] inline void radix(Floats (&re)[12], Floats (&im)[12], Table const& roots) {
    thirds<0>(re, im, roots);
    thirds<1>(re, im, roots);
    thirds<2>(re, im, roots);
    thirds<3>(re, im, roots);
    split_twice<0, 1, false>(re, im, turn_of<12, 0>(roots), turn_of<12, 1>(roots));
    split_twice<4, 1, false>(re, im, turn_of<12, 2>(roots), turn_of<12, 3>(roots));
    split_twice<8, 1, false>(re, im, turn_of<12, 4>(roots), turn_of<12, 5>(roots));
}

/// Where radix() leaves X_k.
template <index n>
constexpr index place(index k) {
    constexpr index of_four[] = {0, 2, 1, 3};
    if constexpr (n == 4)
        return of_four[k];
    else if constexpr (n == 8)
        return k % 2 * 4 + of_four[k / 2];
    else if constexpr (n == 12)
        return k % 3 * 4 + of_four[k / 3];
    else
        return of_four[k % 4] * 4 + of_four[k / 4];
}

}  // namespace
}  // namespace sluice::fft::SLUICE_ISA

// The lines of 8x8 pixels as numbers: of rows, of columns, and of those whose place has a bit; for
// *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/digits.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

constexpr int bits_in_block = 3;  // of a coordinate among 8 pixels

/// Binary numbers side by side, one of each frame.
template <int n>
struct Number {
    Bits digit[n];
};

template <int n>
inline Number<n + 1> plus(Number<n> const& a, Number<n> const& b) {
    Number<n + 1> sum;
    Bits up = {};
    for (int d = 0; d < n; ++d) {
        Bits next;
        sum.digit[d] = a.digit[d];
        add(sum.digit[d], b.digit[d], up, next);
        up = next;
    }
    sum.digit[n] = up;
    return sum;
}

inline void add_half(Bits& sum, Bits a, Bits& carry) {
    carry = sum & a;
    sum ^= a;
}

/// How many of eight lines have a bit.
inline Number<4> count_eight(Bits const (&x)[8]) {
    Number<4> n;
    Bits twos[4], fours[2], s = x[0], t = x[3];
    add(s, x[1], x[2], twos[0]);
    add(t, x[4], x[5], twos[1]);
    add(s, t, x[6], twos[2]);
    add_half(s, x[7], twos[3]);
    n.digit[0] = s;
    n.digit[1] = twos[0];
    add(n.digit[1], twos[1], twos[2], fours[0]);
    add_half(n.digit[1], twos[3], fours[1]);
    n.digit[2] = fours[0];
    add_half(n.digit[2], fours[1], n.digit[3]);
    return n;
}

/// Of eight rows or columns: those whose place has bit 0, 1 and 2, and all of them.
struct OfEight {
    Number<6> bit[bits_in_block];
    Number<7> all;

    explicit OfEight(Number<4> const (&of)[8]) {
        auto const n57 = plus(of[5], of[7]), n46 = plus(of[4], of[6]);
        bit[0] = plus(plus(of[1], of[3]), n57);
        bit[1] = plus(plus(of[2], of[3]), plus(of[6], of[7]));
        bit[2] = plus(n46, n57);
        all = plus(bit[0], plus(n46, plus(of[0], of[2])));
    }
};

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

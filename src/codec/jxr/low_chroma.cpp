// The second stage of the transform for chroma with half as many columns.
// SPDX-License-Identifier: Apache-2.0
//
// The constants and the order of the steps are those of jxrlib (image/decode/strInvTransform.c),
// BSD-2-Clause, copyright Microsoft Corp.; see NOTICE.
#include "codec/jxr/plane.h"

namespace sluice::codec::jxr {
namespace {

using std::int32_t;
using std::uint32_t;

// Sums wrap around, as damaged files may have any coefficients.
uint32_t shift_right(uint32_t x, int by) {
    return static_cast<uint32_t>(static_cast<int32_t>(x) >> by);
}

void hadamard(int32_t* const (&at)[4], uint32_t factor) {
    uint32_t v[4];
    for (int i = 0; i < 4; ++i) v[i] = static_cast<uint32_t>(*at[i]);
    v[0] += v[3];
    v[1] -= v[2];
    uint32_t const t = shift_right(v[0] - v[1], 1);
    uint32_t const c = t - v[3], d = t - v[2];
    v[0] -= d;
    v[1] += c;
    v[2] = c;
    v[3] = d;
    for (int i = 0; i < 4; ++i) *at[i] = static_cast<int32_t>(v[i] * factor);
}

void rotate(uint32_t& a, uint32_t& b) {
    b += shift_right(a + 2, 2);
    a += shift_right(b + 1, 1);
    a += shift_right(b, 5);
    a += shift_right(b, 9);
    a += shift_right(b, 13);
    b += shift_right(a + 2, 2);
}

void filter2(int32_t& first, int32_t& second) {
    auto a = static_cast<uint32_t>(first), b = static_cast<uint32_t>(second);
    rotate(a, b);
    first = static_cast<int32_t>(a);
    second = static_cast<int32_t>(b);
}

void filter4(int32_t& ul, int32_t& ur, int32_t& ll, int32_t& lr) {
    auto a = static_cast<uint32_t>(ul), b = static_cast<uint32_t>(ur);
    auto c = static_cast<uint32_t>(ll), d = static_cast<uint32_t>(lr);
    a += d;
    b += c;
    d -= shift_right(a + 1, 1);
    c -= shift_right(b + 1, 1);
    rotate(a, b);
    d += shift_right(a + 1, 1);
    c += shift_right(b + 1, 1);
    ul = static_cast<int32_t>(a - d);
    ur = static_cast<int32_t>(b - c);
    ll = static_cast<int32_t>(c);
    lr = static_cast<int32_t>(d);
}

// Two numbers of each macroblock in one row of blocks.
struct Pair {
    int32_t* left;
    int32_t* right;
};

Pair pair_of(Blocks low, int row) {
    return {low.at + 2 * row * low.stride, low.at + (2 * row + 1) * low.stride};
}

void filter_between(Pair upper, Pair lower, index begin, index end) {
    filter2(upper.left[begin], lower.left[begin]);
    for (index x = begin; x + 1 < end; ++x)
        filter4(upper.right[x], upper.left[x + 1], lower.right[x], lower.left[x + 1]);
    filter2(upper.right[end - 1], lower.right[end - 1]);
}

// A corner changes by as much as its neighbour does.
void follow(int32_t& corner, int32_t before, int32_t after) {
    corner = static_cast<int32_t>(static_cast<uint32_t>(corner) - static_cast<uint32_t>(before) +
                                  static_cast<uint32_t>(after));
}

void filter_edge(Pair row, index begin, index end) {
    int32_t const first = row.right[begin], last = row.left[end - 1];
    for (index x = begin; x + 1 < end; ++x) filter2(row.right[x], row.left[x + 1]);
    follow(row.left[begin], first, row.right[begin]);
    follow(row.right[end - 1], last, row.left[end - 1]);
}

}  // namespace

void transform_low_chroma(Blocks row, index n, int down, bool doubled) {
    for (index x = 0; x < n; ++x) {
        int32_t* at[8];
        for (int i = 0; i < 8; ++i) at[i] = row.at + i * row.stride + x;
        if (down == 4) {
            auto const b = static_cast<uint32_t>(*at[4]);
            uint32_t const a = static_cast<uint32_t>(*at[0]) - shift_right(b + 1, 1);
            *at[0] = static_cast<int32_t>(a);
            *at[4] = static_cast<int32_t>(b + a);
            hadamard({at[4], at[5], at[6], at[7]}, doubled ? 2 : 1);
        }
        hadamard({at[0], at[1], at[2], at[3]}, doubled ? 2 : 1);
    }
}

void filter_low_chroma(Header const& header, Channel const& channel, index row) {
    Blocks const here = channel.low_row(row), above = channel.low_row(row + 1);
    bool const ends = ends_above(header, row);
    for_each_span(header, [&](index begin, index end) {
        Pair const last = pair_of(above, channel.down - 1), first = pair_of(here, 0);
        if (!ends) {
            filter_between(last, first, begin, end);
        } else {
            if (row > 0) filter_edge(last, begin, end);
            if (row < header.blocks_down) filter_edge(first, begin, end);
        }
        if (channel.down == 4 && row < header.blocks_down)
            filter_between(pair_of(here, 1), pair_of(here, 2), begin, end);
    });
}

}  // namespace sluice::codec::jxr

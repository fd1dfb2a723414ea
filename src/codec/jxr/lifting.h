// The steps that the transforms and filters of JPEG XR are made of; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
//
// The constants and the order of the steps are those of jxrlib (image/decode/strInvTransform.c and
// image/sys/strTransform.c), BSD-2-Clause, copyright Microsoft Corp.; see NOTICE.
#pragma once

#include "codec/jxr/lanes.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

template <class T>
SLUICE_HD void hadamard(T& a, T& b, T& c, T& d, std::uint32_t round) {
    a += d;
    b -= c;
    T const t = shift_right(a - b + round, 1);
    T const old = c;
    c = t - d;
    d = t - old;
    a -= d;
    b += c;
}

template <class T>
SLUICE_HD void rotate1(T& a, T& b) {
    a -= shift_right(b + 1U, 1);
    b += shift_right(a + 1U, 1);
}

template <class T>
SLUICE_HD void rotate2(T& a, T& b) {
    a -= shift_right(b * 3U + 4U, 3);
    b += shift_right(a * 3U + 4U, 3);
}

template <class T>
SLUICE_HD void odd(T& a, T& b, T& c, T& d) {
    b += d;
    a -= c;
    d -= shift_right(b, 1);
    c += shift_right(a + 1U, 1);
    rotate2(a, b);
    rotate2(c, d);
    c -= shift_right(b + 1U, 1);
    d = shift_right(a + 1U, 1) - d;
    b += c;
    a -= d;
}

// `round` differs between the transform (3, 3) and the filters (6, 2).
template <class T>
SLUICE_HD void odd_odd(T& a, T& b, T& c, T& d, std::uint32_t round_a, std::uint32_t round_b) {
    d += a;
    c -= b;
    T const half_d = shift_right(d, 1), half_c = shift_right(c, 1);
    a -= half_d;
    b += half_c;
    a -= shift_right(b * 3U + round_a, 3);
    b += shift_right(a * 3U + round_b, 2);
    a -= shift_right(b * 3U + 4U, 3);
    b -= half_c;
    a += half_d;
    c += b;
    d -= a;
}

template <class T>
SLUICE_HD void scale(T& a, T& d) {
    a += d;
    d = shift_right(a, 1) - d;
    a += shift_right(d * 3U, 3);
    d += shift_right(a * 3U, 4);
    d += shift_right(a, 7);
    d -= shift_right(a, 10);
}

template <class T>
SLUICE_HD void scale_edge(T& a, T& d) {
    scale(a, d);
    a += shift_right(d * 3U + 4U, 3);
    d -= shift_right(a, 1);
    a += d;
    d = 0U - d;
}

template <class T>
SLUICE_HD void spread(T& a, T& b, T& c, T& d) {
    b -= c;
    a += shift_right(d * 3U + 4U, 3);
    d -= shift_right(b, 1);
    T const t = shift_right(a - b, 1) - c;
    c = d;
    d = t;
    a -= d;
    b += c;
}

/// The filter of four neighbours across an edge that only two blocks share.
template <class T>
SLUICE_HD void filter4(T& a, T& b, T& c, T& d) {
    a += d;
    b += c;
    d -= shift_right(a + 1U, 1);
    c -= shift_right(b + 1U, 1);
    scale_edge(a, d);
    scale_edge(b, c);
    rotate1(c, d);
    d += shift_right(a + 1U, 1);
    c += shift_right(b + 1U, 1);
    a -= d;
    b -= c;
}

/// The filter of 4 x 4 numbers around the corner that four blocks share; each block's four are in
/// the order of their distance from the corner: itself, beside it, above or below it, across.
template <class T>
SLUICE_HD void filter16(T (&ul)[4], T (&ur)[4], T (&ll)[4], T (&lr)[4], bool low) {
    for (int i = 0; i < 4; ++i) hadamard(ul[i], ur[i], ll[i], lr[i], 0);
    odd_odd(lr[0], lr[1], lr[2], lr[3], 6, 2);
    rotate1(ll[2], ll[3]);
    rotate1(ll[0], ll[1]);
    rotate1(ur[1], ur[3]);
    rotate1(ur[0], ur[2]);
    for (int i = 0; i < 4; ++i) scale(ul[i], lr[i]);
    for (int i = 0; i < 4; ++i)
        if (low)
            spread(ul[i], ll[i], ur[i], lr[i]);
        else
            spread(ul[i], ur[i], ll[i], lr[i]);
}

/// The inverse transform of a block in its places; see places.h.
template <class T>
SLUICE_HD void transform16(T (&x)[16]) {
    hadamard(x[0], x[1], x[2], x[3], 1);
    odd(x[5], x[4], x[7], x[6]);
    odd(x[10], x[8], x[11], x[9]);
    odd_odd(x[15], x[14], x[13], x[12], 3, 3);
    x[14] = 0U - x[14];
    x[13] = 0U - x[13];
    for (int i = 0; i < 4; ++i) hadamard(x[i], x[4 + i], x[8 + i], x[12 + i], 0);
}

/// The same of low-pass coefficients, whose places are others.
template <class T>
SLUICE_HD void transform_low16(T (&x)[16]) {
    odd(x[2], x[3], x[6], x[7]);
    odd(x[8], x[12], x[9], x[13]);
    odd_odd(x[10], x[14], x[11], x[15], 3, 3);
    x[14] = 0U - x[14];
    x[11] = 0U - x[11];
    hadamard(x[0], x[4], x[1], x[5], 1);
    hadamard(x[0], x[12], x[3], x[15], 0);
    hadamard(x[4], x[8], x[7], x[11], 0);
    hadamard(x[1], x[13], x[2], x[14], 0);
    hadamard(x[5], x[9], x[6], x[10], 0);
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA

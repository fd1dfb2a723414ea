// Butterflies: the arithmetic of the transform written here, the same for host and devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::fft {

/// A complex number that device code can use; the same bytes as std::complex.
template <class Real>
struct Number {
    Real re = 0, im = 0;

    SLUICE_HD Number operator+(Number o) const { return {re + o.re, im + o.im}; }
    SLUICE_HD Number operator-(Number o) const { return {re - o.re, im - o.im}; }
    SLUICE_HD Number operator*(Number o) const {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
    SLUICE_HD Number operator*(Real scale) const { return {re * scale, im * scale}; }
    SLUICE_HD Number conjugate() const { return {re, -im}; }
};

/// Two numbers; the second one is turned by w.
template <class Real>
SLUICE_HD void two(Number<Real> a, Number<Real> b, Number<Real> w, Number<Real>* to, index apart) {
    to[0] = a + b;
    to[apart] = (a - b) * w;
}

/// Turns of the last three of four numbers.
template <class Real>
struct Turns {
    Number<Real> w1, w2, w3;
};

template <class Real>
SLUICE_HD void four(Number<Real> a, Number<Real> b, Number<Real> c, Number<Real> d,
                    Turns<Real> const& turns, Number<Real>* to, index apart) {
    Number<Real> const even = a + c, odd = b + d, half = a - c;
    Number<Real> const turned{b.im - d.im, d.re - b.re};
    to[0] = even + odd;
    to[apart] = (half + turned) * turns.w1;
    to[2 * apart] = (even - odd) * turns.w2;
    to[3 * apart] = (half - turned) * turns.w3;
}

/// One pass of radix p: x[p][m][s] gives y[m][p][s], turned by exp(-2 pi i q r / (p m)).
template <class Real>
struct Pass {
    index p, m, s;
    Number<Real> const* roots;
    index step;  ///< roots[step * k] is exp(-2 pi i k / (p m))
    index size;  ///< how many roots there are

    SLUICE_HD Turns<Real> turns(index q) const {
        return {roots[q * step], roots[2 * q * step], roots[3 * q * step]};
    }
    /// What number j of the input is turned by in number r of the output.
    SLUICE_HD Number<Real> turn(index q, index r, index j) const {
        return roots[(q * r + (j * r) % p * m) * step % size];
    }
};

}  // namespace sluice::fft

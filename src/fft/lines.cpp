// Stockham's self-sorting transform for any small factors, and Bluestein's for the other lengths.
// SPDX-License-Identifier: Apache-2.0
#include "fft/lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sluice::fft {
namespace {

// A butterfly of a prime p costs p * p; from here on three transforms of twice the length are less.
constexpr index largest_radix = 31;

template <class T>
auto& at(T& v, index i) {
    return v[static_cast<std::size_t>(i)];
}

// In double for any Real: the turns of a long transform add up.
template <class Real>
Number<Real> root(index k, index n) {
    double const angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    return {static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle))};
}

std::vector<index> factors_of(index n) {
    std::vector<index> factors;
    for (index p : {index{4}, index{2}})
        for (; n % p == 0; n /= p) factors.push_back(p);
    for (index p = 3; p <= n / p; p += 2)
        for (; n % p == 0; n /= p) factors.push_back(p);
    if (n > 1) factors.push_back(n);
    return factors;
}

index power_above(index n) {
    index p = 1;
    while (p < n) p *= 2;
    return p;
}

template <class Real>
void of_two(Pass<Real> const& t, Number<Real> const* x, Number<Real>* y) {
    for (index q = 0; q < t.m; ++q) {
        Number<Real> const w = t.roots[q * t.step];
        Number<Real> const *a = x + q * t.s, *b = a + t.m * t.s;
        Number<Real>* const to = y + 2 * q * t.s;
        for (index k = 0; k < t.s; ++k) two(a[k], b[k], w, to + k, t.s);
    }
}

template <class Real>
void of_four(Pass<Real> const& t, Number<Real> const* x, Number<Real>* y) {
    index const apart = t.m * t.s;
    for (index q = 0; q < t.m; ++q) {
        Turns<Real> const w = t.turns(q);
        Number<Real> const* const a = x + q * t.s;
        Number<Real>* const to = y + 4 * q * t.s;
        for (index k = 0; k < t.s; ++k)
            four(a[k], a[apart + k], a[2 * apart + k], a[3 * apart + k], w, to + k, t.s);
    }
}

template <class Real>
void of_any(Pass<Real> const& t, Number<Real> const* x, Number<Real>* y) {
    for (index q = 0; q < t.m; ++q)
        for (index r = 0; r < t.p; ++r) {
            Number<Real>* const to = y + (t.p * q + r) * t.s;
            std::fill_n(to, t.s, Number<Real>{});
            for (index j = 0; j < t.p; ++j) {
                Number<Real> const w = t.turn(q, r, j);
                Number<Real> const* const from = x + (q + t.m * j) * t.s;
                for (index k = 0; k < t.s; ++k) to[k] = to[k] + from[k] * w;
            }
        }
}

}  // namespace

template <class Real>
Lines<Real>::Chirp::Chirp(index n) : padded(power_above(2 * n - 1)), lines(padded) {
    wave.resize(static_cast<std::size_t>(n));
    spectrum.resize(static_cast<std::size_t>(padded));
    index square = 0;  // k^2 modulo 2 n, so that large k keep their digits
    for (index k = 0; k < n; ++k) {
        Number<Real> const w = at(wave, k) = root<Real>(square, 2 * n);
        auto const parts = static_cast<Real>(padded);
        at(spectrum, k) = at(spectrum, (padded - k) % padded) = {w.re / parts, -w.im / parts};
        square = (square + 2 * k + 1) % (2 * n);
    }
    lines.forward(spectrum.data(), 1);
}

template <class Real>
Lines<Real>::Lines(index length) : length_(length), factors_(factors_of(length)) {
    if (!factors_.empty() && factors_.back() > largest_radix) {
        factors_.clear();
        chirp_ = std::make_shared<Chirp const>(length);
        return;
    }
    roots_.resize(static_cast<std::size_t>(length));
    for (index k = 0; k < length; ++k) at(roots_, k) = root<Real>(k, length);
}

template <class Real>
void Lines<Real>::forward(Number<Real>* x, index width) const {
    if (chirp_) return bluestein(x, width);
    std::vector<Number<Real>> other(static_cast<std::size_t>(length_ * width));
    Number<Real>*from = x, *to = other.data();
    index left = length_, done = 1;
    for (index p : factors_) {
        left /= p;
        Pass<Real> const pass{p, left, done * width, roots_.data(), done, length_};
        if (p == 4)
            of_four(pass, from, to);
        else if (p == 2)
            of_two(pass, from, to);
        else
            of_any(pass, from, to);
        done *= p;
        std::swap(from, to);
    }
    if (from != x) std::copy_n(from, length_ * width, x);
}

template <class Real>
void Lines<Real>::bluestein(Number<Real>* x, index width) const {
    std::vector<Number<Real>> work(static_cast<std::size_t>(chirp_->padded));
    for (index c = 0; c < width; ++c) {
        std::ranges::fill(work, Number<Real>{});
        for (index k = 0; k < length_; ++k) at(work, k) = x[k * width + c] * at(chirp_->wave, k);
        chirp_->lines.forward(work.data(), 1);
        for (index k = 0; k < chirp_->padded; ++k)
            at(work, k) = (at(work, k) * at(chirp_->spectrum, k)).conjugate();
        // Conjugated before and after, a forward transform is an inverse one.
        chirp_->lines.forward(work.data(), 1);
        for (index k = 0; k < length_; ++k)
            x[k * width + c] = at(work, k).conjugate() * at(chirp_->wave, k);
    }
}

template class Lines<float>;
template class Lines<double>;

}  // namespace sluice::fft

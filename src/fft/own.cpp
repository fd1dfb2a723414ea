// Stockham's self-sorting transform for any small factors, and Bluestein's for the other lengths.
// SPDX-License-Identifier: Apache-2.0
#include "fft/own.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sluice/result.h"

namespace sluice::fft::own {
namespace {

// A butterfly of a prime p costs p * p; from here on three transforms of twice the length are less.
constexpr index largest_radix = 31;

// std::complex looks for infinities in every product, which takes more time than the product.
Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex& at(std::vector<Complex>& v, index i) {
    return v[static_cast<std::size_t>(i)];
}
Complex at(std::vector<Complex> const& v, index i) {
    return v[static_cast<std::size_t>(i)];
}

Complex root(index k, index n) {
    double const angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
}

std::vector<index> factors_of(index n) {
    std::vector<index> factors;
    for (index p : {index{4}, index{2}})
        for (; n % p == 0; n /= p) factors.push_back(p);
    for (index p = 3; n > 1; p += 2)
        for (; n % p == 0; n /= p) factors.push_back(p);
    return factors;
}

// One pass of radix p: x[p][m][s] gives y[m][p][s], turned by exp(-2 pi i q r / (p m)).
struct Pass {
    index p, m, s;
    std::vector<Complex> const& roots;
    index step;  // roots[step * k] is exp(-2 pi i k / (p m))

    void two(Complex const* x, Complex* y) const {
        for (index q = 0; q < m; ++q) {
            Complex const w = at(roots, q * step);
            Complex const *a = x + q * s, *b = a + m * s;
            Complex *c = y + 2 * q * s, *d = c + s;
            for (index k = 0; k < s; ++k) c[k] = a[k] + b[k], d[k] = times(a[k] - b[k], w);
        }
    }

    void four(Complex const* x, Complex* y) const {
        for (index q = 0; q < m; ++q) {
            Complex const w1 = at(roots, q * step), w2 = at(roots, 2 * q * step),
                          w3 = at(roots, 3 * q * step);
            Complex const *a = x + q * s, *b = a + m * s, *c = b + m * s, *d = c + m * s;
            Complex* const to = y + 4 * q * s;
            for (index k = 0; k < s; ++k) {
                Complex const even = a[k] + c[k], odd = b[k] + d[k], apart = a[k] - c[k];
                Complex const turned{b[k].imag() - d[k].imag(), d[k].real() - b[k].real()};
                to[k] = even + odd;
                to[s + k] = times(apart + turned, w1);
                to[2 * s + k] = times(even - odd, w2);
                to[3 * s + k] = times(apart - turned, w3);
            }
        }
    }

    void any(Complex const* x, Complex* y) const {
        for (index q = 0; q < m; ++q)
            for (index r = 0; r < p; ++r) {
                Complex* const to = y + (p * q + r) * s;
                std::fill_n(to, s, Complex{});
                for (index j = 0; j < p; ++j) {
                    Complex const w = at(roots, (q * r + (j * r) % p * m) * step % size());
                    Complex const* const from = x + (q + m * j) * s;
                    for (index k = 0; k < s; ++k) to[k] += times(from[k], w);
                }
            }
    }
    index size() const { return std::ssize(roots); }
};

}  // namespace

// A length n as a circular convolution of a length that is a power of two.
struct Lines::Chirp {
    index padded;
    Lines lines;
    std::vector<Complex> wave;      // exp(-pi i k^2 / n), k < n
    std::vector<Complex> spectrum;  // of its conjugate on both sides of 0, divided by padded

    explicit Chirp(index n) : padded(power_above(2 * n - 1)), lines(padded) {
        wave.resize(static_cast<std::size_t>(n));
        spectrum.resize(static_cast<std::size_t>(padded));
        index square = 0;  // k^2 modulo 2 n, so that large k keep their digits
        for (index k = 0; k < n; ++k) {
            at(wave, k) = root(square, 2 * n);
            Complex const value = std::conj(at(wave, k)) / static_cast<double>(padded);
            at(spectrum, k) = value;
            at(spectrum, (padded - k) % padded) = value;
            square = (square + 2 * k + 1) % (2 * n);
        }
        lines.forward(spectrum.data(), 1);
    }

    static index power_above(index n) {
        index p = 1;
        while (p < n) p *= 2;
        return p;
    }
};

Lines::Lines(index length) : length_(length), factors_(factors_of(length)) {
    if (!factors_.empty() && factors_.back() > largest_radix) {
        factors_.clear();
        chirp_ = std::make_shared<Chirp const>(length);
        return;
    }
    roots_.resize(static_cast<std::size_t>(length));
    for (index k = 0; k < length; ++k) at(roots_, k) = root(k, length);
}

void Lines::forward(Complex* x, index width) const {
    if (chirp_) return bluestein(x, width);
    std::vector<Complex> other(static_cast<std::size_t>(length_ * width));
    Complex *from = x, *to = other.data();
    index left = length_, done = 1;
    for (index p : factors_) {
        left /= p;
        Pass const pass{p, left, done * width, roots_, done};
        if (p == 4)
            pass.four(from, to);
        else if (p == 2)
            pass.two(from, to);
        else
            pass.any(from, to);
        done *= p;
        std::swap(from, to);
    }
    if (from != x) std::copy_n(from, length_ * width, x);
}

void Lines::bluestein(Complex* x, index width) const {
    std::vector<Complex> work(static_cast<std::size_t>(chirp_->padded));
    for (index c = 0; c < width; ++c) {
        std::ranges::fill(work, Complex{});
        for (index k = 0; k < length_; ++k)
            at(work, k) = times(x[k * width + c], at(chirp_->wave, k));
        chirp_->lines.forward(work.data(), 1);
        for (index k = 0; k < chirp_->padded; ++k)
            at(work, k) = std::conj(times(at(work, k), at(chirp_->spectrum, k)));
        // Conjugated before and after, a forward transform is an inverse one.
        chirp_->lines.forward(work.data(), 1);
        for (index k = 0; k < length_; ++k)
            x[k * width + c] = times(std::conj(at(work, k)), at(chirp_->wave, k));
    }
}

void Plan::forward(View<Complex, 2> data) const {
    expects(data.extent(0) == rows_ && data.extent(1) == cols_);
    for (index r = 0; r < rows_; ++r) across_.forward(data.data() + r * cols_, 1);
    down_.forward(data.data(), cols_);
}

void Plan::inverse(View<Complex, 2> data) const {
    double const scale = 1 / static_cast<double>(rows_ * cols_);
    std::span<Complex> const all(data.data(), static_cast<std::size_t>(data.size()));
    for (Complex& x : all) x = std::conj(x);
    forward(data);
    for (Complex& x : all) x = std::conj(x) * scale;
}

}  // namespace sluice::fft::own

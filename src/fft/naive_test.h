// Random numbers, and Fourier transforms by their definition in long double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "fft/engine.h"

namespace sluice::fft {

using Long = std::complex<long double>;

template <class T>
std::vector<T> random_numbers(index count, unsigned seed = 1) {
    std::mt19937 random(seed + static_cast<unsigned>(count));
    std::normal_distribution<double> normal;
    std::vector<T> out(count);
    for (T& v : out)
        if constexpr (requires { v.imag(); })
            v = T(normal(random), normal(random));
        else
            v = static_cast<T>(normal(random));
    return out;
}

inline index count_of(std::vector<index> const& shape) {
    index n = 1;
    for (index e : shape) n *= e;
    return n;
}

/// One axis after the other.
template <class T>
std::vector<Long> naive(std::vector<index> const& shape, T const* x, int sign = -1) {
    std::vector<Long> now(x, x + count_of(shape));
    index width = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        index const n = shape[d];
        std::vector<Long> roots(n), next(now.size());
        for (index k = 0; k < n; ++k)
            roots[k] = std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * k / n);
        for (index i = 0; i < std::ssize(now); ++i) {
            index const c = i % width, k = i / width % n, first = i / width / n * n * width + c;
            for (index j = 0; j < n; ++j) next[i] += now[first + j * width] * roots[j * k % n];
        }
        now = std::move(next);
        width *= n;
    }
    return now;
}

template <class A>
long double energy(A const& all) {
    long double sum = 0;
    for (auto const& v : all) sum += std::norm(Long(v));
    return sum;
}

/// Of two lists, relative, of the whole.
template <class A, class B>
double distance(A const& a, B const& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::norm(Long(a[i]) - Long(b[i]));
    return static_cast<double>(std::sqrt(sum / energy(b)));
}

/// Powers of 2, odd, prime and mixed; small and large primes.
inline std::vector<std::vector<index>> const shapes{
    {1},      {2},      {3},      {31},      {37},      {64},       {97},      {360},
    {1024},   {1, 1},   {1, 2},   {2, 1},    {3, 4},    {5, 6},     {7, 8},    {9, 10},
    {11, 1},  {13, 16}, {15, 15}, {31, 32},  {37, 3},   {4, 37},    {64, 48},  {97, 20},
    {21, 97}, {49, 25}, {30, 77}, {1, 1, 1}, {3, 4, 5}, {2, 37, 6}, {8, 1, 9}, {41, 3, 2},
};

}  // namespace sluice::fft

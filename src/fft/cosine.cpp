// Cosine transforms out of a Fourier transform of the samples in another order: the even ones
// upwards and then the odd ones downwards.
// SPDX-License-Identifier: Apache-2.0
#include "fft/cosine.h"

#include <cmath>
#include <new>
#include <numbers>

#include "sluice/result.h"

namespace sluice::fft {
namespace {

using Z = Complex<double>;

Z times(Z a, Z b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Z times_i(Z a) {
    return {-a.imag(), a.real()};
}

template <class T>
T at(std::vector<T> const& v, index i) {
    return v[static_cast<std::size_t>(i)];
}

Result<std::vector<Z>> room_for(index rows, index cols) {
    try {
        return std::vector<Z>(static_cast<std::size_t>(rows * cols));
    } catch (std::bad_alloc const&) {
        return out_of_memory({rows, cols});
    }
}

}  // namespace

CosinePlan::Axis::Axis(index n) {
    for (index m = 0; m < n; ++m) {
        place.push_back(2 * m < n ? 2 * m : 2 * (n - m) - 1);
        double const angle =
            -std::numbers::pi / 2 * static_cast<double>(m) / static_cast<double>(n);
        turn.push_back({std::cos(angle), std::sin(angle)});
    }
}

Result<CosinePlan> CosinePlan::make(index rows, index cols) {
    SLUICE_TRY(Plan<double> plan, Plan<double>::make({{rows, cols}}));
    try {
        return CosinePlan(rows, cols, std::move(plan));
    } catch (std::bad_alloc const&) {
        return out_of_memory({rows, cols});
    }
}

// With w = turn, an axis gives C(k) = (w(k) V(k) + conj(w(k)) V(n - k)) / 2.
Status CosinePlan::forward(View<Z, 2> data) const {
    index const rows = std::ssize(down_.place), cols = std::ssize(across_.place);
    expects(data.extent(0) == rows && data.extent(1) == cols);
    SLUICE_TRY(std::vector<Z> memory, room_for(rows, cols));
    View<Z, 2> const v(memory.data(), {rows, cols});
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) v(r, c) = data(at(down_.place, r), at(across_.place, c));
    SLUICE_CHECK(plan_.forward(memory));
    for (index k = 0; k < rows; ++k) {
        Z const a = at(down_.turn, k);
        index const minus_k = k > 0 ? rows - k : 0;
        for (index l = 0; l < cols; ++l) {
            Z const b = at(across_.turn, l);
            index const minus_l = l > 0 ? cols - l : 0;
            Z const here = times(b, v(k, l)) + times(std::conj(b), v(k, minus_l));
            Z const there = times(b, v(minus_k, l)) + times(std::conj(b), v(minus_k, minus_l));
            data(k, l) = 0.25 * (times(a, here) + times(std::conj(a), there));
        }
    }
    return {};
}

// The other way, V(k) = conj(w(k)) (C(k) - i C(n - k)) with C(n) = 0.
Status CosinePlan::inverse(View<Z, 2> data) const {
    index const rows = std::ssize(down_.place), cols = std::ssize(across_.place);
    expects(data.extent(0) == rows && data.extent(1) == cols);
    SLUICE_TRY(std::vector<Z> memory, room_for(rows, cols));
    View<Z, 2> const v(memory.data(), {rows, cols});
    auto const along = [&](index k, index l) {
        return l > 0 ? data(k, l) - times_i(data(k, cols - l)) : data(k, l);
    };
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            Z const both = k > 0 ? along(k, l) - times_i(along(rows - k, l)) : along(k, l);
            v(k, l) =
                times(times(std::conj(at(down_.turn, k)), std::conj(at(across_.turn, l))), both);
        }
    SLUICE_CHECK(plan_.inverse(memory));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) data(at(down_.place, r), at(across_.place, c)) = v(r, c);
    return {};
}

}  // namespace sluice::fft

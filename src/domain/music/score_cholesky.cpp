// Cholesky's factorisation by blocks.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/score_cholesky.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "device/workers.h"

namespace sluice::music {
namespace {

constexpr index block = 64;
constexpr index tile = 4;

// c[r][s] -= sum over k of a[r][k] b[s][k], for 4 x 4 rows; the panel of b lies turned, k by k.
void subtract_tile(double* c, double const* a, double const* b, index stride, index depth) {
    std::array<std::array<double, tile>, tile> sum{};
    for (index k = 0; k < depth; ++k)
        for (std::size_t r = 0; r < tile; ++r) {
            double const v = a[static_cast<index>(r) * stride + k];
            for (std::size_t s = 0; s < tile; ++s)
                sum[r][s] += v * b[k * tile + static_cast<index>(s)];
        }
    for (std::size_t r = 0; r < tile; ++r)
        for (std::size_t s = 0; s < tile; ++s)
            c[static_cast<index>(r) * stride + static_cast<index>(s)] -= sum[r][s];
}

}  // namespace

Cholesky::Cholesky(index n, std::function<double(index, index)> const& element, int threads)
    : n_(n), l_(static_cast<std::size_t>(n * n)), smallest_(static_cast<std::size_t>(n)) {
    parallel_for(n, threads, 16, [&](index row, int) {
        for (index column = 0; column <= row; ++column) at(row, column) = element(row, column);
    });
    for (index k = 0; k < n; ++k)
        smallest_[static_cast<std::size_t>(k)] =
            static_cast<double>(n) * std::numeric_limits<double>::epsilon() * at(k, k);
    std::vector<double> turned;
    for (index first = 0; first < n; first += block) {
        index const last = std::min(first + block, n), depth = last - first;
        factor_corner(first, last);
        parallel_for(n - last, threads, 16,
                     [&](index k, int) { solve_row(last + k, first, last); });
        // What is right of the panel, in tiles below the diagonal and on it. n is a multiple of
        // `tile`, as are all sizes of filters.
        index const tiles = (n - last) / tile;
        turned.resize(static_cast<std::size_t>((n - last) * depth));
        parallel_for(tiles, threads, 16, [&](index t, int) {
            double* const to = turned.data() + t * tile * depth;
            for (index s = 0; s < tile; ++s)
                for (index k = 0; k < depth; ++k)
                    to[k * tile + s] = at(last + t * tile + s, first + k);
        });
        parallel_for(tiles, threads, 4, [&](index r, int) {
            index const row = last + r * tile;
            for (index t = 0; t <= r; ++t)
                subtract_tile(&at(row, last + t * tile), &at(row, first),
                              turned.data() + t * tile * depth, n_, depth);
        });
    }
}

// The block on the diagonal, from which the panels left of it were subtracted.
void Cholesky::factor_corner(index first, index last) {
    for (index column = first; column < last; ++column) {
        double pivot = at(column, column);
        for (index k = first; k < column; ++k) pivot -= at(column, k) * at(column, k);
        bool const counts = pivot > smallest_[static_cast<std::size_t>(column)];
        left_out_ += !counts;
        at(column, column) = counts ? std::sqrt(pivot) : 0;
        for (index row = column + 1; row < last; ++row) {
            double v = at(row, column);
            for (index k = first; k < column; ++k) v -= at(row, k) * at(column, k);
            at(row, column) = counts ? v / at(column, column) : 0;
        }
    }
}

void Cholesky::solve_row(index row, index first, index last) {
    for (index column = first; column < last; ++column) {
        double v = at(row, column);
        for (index k = first; k < column; ++k) v -= at(row, k) * at(column, k);
        double const pivot = at(column, column);
        at(row, column) = pivot > 0 ? v / pivot : 0;
    }
}

void Cholesky::solve(std::span<double> x) const {
    for (index row = 0; row < n_; ++row) {
        double v = x[static_cast<std::size_t>(row)];
        for (index k = 0; k < row; ++k) v -= at(row, k) * x[static_cast<std::size_t>(k)];
        double const pivot = at(row, row);
        x[static_cast<std::size_t>(row)] = pivot > 0 ? v / pivot : 0;
    }
    // Backwards by rows of the factor, which lie one after the other, where columns do not.
    for (index row = n_ - 1; row >= 0; --row) {
        double const pivot = at(row, row);
        double const v = pivot > 0 ? x[static_cast<std::size_t>(row)] / pivot : 0;
        x[static_cast<std::size_t>(row)] = v;
        for (index k = 0; k < row; ++k) x[static_cast<std::size_t>(k)] -= at(row, k) * v;
    }
}

}  // namespace sluice::music

// Measured: the patterns' counts in the type they were measured in, and in which order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "fft/squares/tile.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

struct Measured {
    stem4d::Patterns patterns;
    /// Each pattern lies in the order in which the passes over squares meet a spectrum
    /// (fft/squares/tile.h), and not row by row. The mask of bad pixels stays row by row.
    bool in_order_of_passes = false;
    std::vector<double> sums = {}, squares = {};  ///< of valid counts, of each pattern here

    /// Where pattern j is among those here.
    std::size_t slot(index j) const { return static_cast<std::size_t>(j - patterns.first); }
};

/// work(first count) with a pointer to the type of the counts.
template <class Work>
decltype(auto) with_pattern(stem4d::Patterns const& patterns, index j, Work const& work) {
    return std::visit(
        [&](auto const& counts) {
            return work(counts.data() + (j - patterns.first) * patterns.size * patterns.size);
        },
        patterns.counts);
}

/// Row by row.
template <class Real>
std::vector<Real> counts_of(Measured const& measured, index j) {
    index const side = measured.patterns.size;
    return with_pattern(measured.patterns, j, [&](auto const* first) {
        if (!measured.in_order_of_passes) return std::vector<Real>(first, first + side * side);
        std::vector<Real> counts(static_cast<std::size_t>(side * side));
        for (index i = 0; i < side * side; ++i)
            counts[static_cast<std::size_t>(fft::natural_place(side, i))] =
                static_cast<Real>(first[i]);
        return counts;
    });
}

/// Puts the patterns into the order of the passes, in place.
void order_for_passes(Measured& measured, int threads);

}  // namespace sluice::ptycho

// Where a square's numbers lie between the passes over its rows and its columns, and in which order
// its spectrum is met. Code of all instruction sets uses it: no function of it is ever emitted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::fft {

/// Where in its spectrum a pass over columns is. It meets the spectrum block by block, 16 columns
/// each; columns are in their natural order, rows are not.
template <index N>
struct Spot {
    index block, slot, lane;  ///< slot: 0 ... N - 1 of a block; lane: 0 ... 15

    /// Its number in the order of the passes: what is read along with a spectrum (counts, sums,
    /// propagators) lies in this order. Neighbouring lanes are neighbours.
    [[gnu::always_inline]] index number() const { return (block * N + slot) * 16 + lane; }
    /// Where its real part is in arrays that have sixteen of them, then their imaginary parts.
    [[gnu::always_inline]] index pair() const { return (block * N + slot) * 32 + lane; }
    [[gnu::always_inline]] index row() const { return slot / (N / 16) + slot % (N / 16) * 16; }
    [[gnu::always_inline]] index column() const { return block * 16 + lane; }
    /// Where the spectrum's number lies in a natural array.
    [[gnu::always_inline]] index natural() const { return row() * N + column(); }
};

/// A square of N by N, in N / 16 blocks of sixteen columns, each [row][16 re][16 im]: a block stays
/// in the first level of caches while its columns are transformed. Blocks are 256 bytes more than
/// that apart, so that a row's do not meet in the same sets of the caches.
template <index N>
struct Tile {
    static constexpr index block = 32 * N + 64, floats = N / 16 * block;

    float* data;  ///< `floats` of them, from the begin of a cache line; the caller's

    /// The real part; the imaginary part is 16 floats behind it.
    [[gnu::always_inline]] float* at(index row, index column) const {
        return data + column / 16 * block + row * 32 + column % 16;
    }
    /// Where a spectrum may be kept between the passes over columns.
    [[gnu::always_inline]] float* at(Spot<N> spot) const { return at(spot.slot, spot.column()); }
};

/// The natural place of the i-th number in the order of the passes, of squares of one size.
inline index natural_place(index side, index i) {
    index const lane = i % 16, slot = i / 16 % side, block = i / 16 / side, m = side / 16;
    return (slot / m + slot % m * 16) * side + block * 16 + lane;
}

}  // namespace sluice::fft

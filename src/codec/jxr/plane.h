// The coefficients of a plane on their way to samples: two rows of macroblocks at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "codec/jxr/kernels.h"
#include "codec/jxr/places.h"

namespace sluice::codec::jxr {

/// One colour of a plane.
struct Channel {
    int across = 4, down = 4;  ///< blocks of a macroblock
    Blocks blocks;             ///< 2 * down rows of blocks, used in turn
    Blocks low;                ///< two rows of macroblocks, 16 numbers each, used in turn
    index done = 0;            ///< rows of blocks that have been transformed

    Blocks block_row(index row) const {
        return {blocks.at + row % (2 * down) * 16 * blocks.stride, blocks.stride};
    }
    Blocks low_row(index row) const { return {low.at + row % 2 * 16 * low.stride, low.stride}; }
};

/// Turns coefficients into samples, row by row of macroblocks.
class Plane {
  public:
    Plane(Header const& header, PlaneHeader const& plane, Kernels const& kernels);

    int channels() const { return plane_->channels(); }
    Channel const& channel(int c) const { return channels_[c]; }
    /// Sets the high-pass coefficients of a row of macroblocks to zero, before it is read.
    void clear(index row);
    /// The second stage, of the low-pass coefficients, after row `row` was read; at the end once
    /// more for the row that would follow. Then those of row - 1 are final.
    void transform_low(index row);
    /// The first stage, of all coefficients; then the samples of row - 1 are final.
    void transform(index row);

  private:
    void transform_row(int c, index row);
    void filter_above(int c, index row);
    void filter_last(int c);

    Header const* header_;
    PlaneHeader const* plane_;
    Kernels const* kernels_;
    Channel channels_[3];
    std::unique_ptr<std::int32_t[]> memory_;
};

/// Calls each(begin, end) for the macroblocks between which filters work: tiles, or all of a row.
template <class Each>
void for_each_span(Header const& header, Each each) {
    if (!header.hard_tiles) return each(index{0}, header.blocks_across);
    for (std::size_t i = 0; i + 1 < header.tiles_x.size(); ++i)
        each(header.tiles_x[i], header.tiles_x[i + 1]);
}

/// Whether filters end above this row of macroblocks.
bool ends_above(Header const& header, index row);

/// The second stage for chroma with half as many columns: `down` is 2 or 4 blocks.
void transform_low_chroma(Blocks row, index n, int down, bool doubled);
/// Its filters, above macroblock row `row` (not the last) and within it.
void filter_low_chroma(Header const& header, Channel const& channel, index row);

}  // namespace sluice::codec::jxr

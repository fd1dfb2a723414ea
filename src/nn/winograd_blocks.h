// How an image is cut into blocks of tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "nn/winograd_kernels.h"

namespace sluice::nn {

/// The blocks of an image; the last ones of a line or a column may be smaller. They depend on the
/// image and its channels only, and so do the moments that are tallied by block.
class TileBlocks {
  public:
    /// A block has enough tiles to use the weights often that came from the third level of caches,
    /// and few enough for its transform to stay there.
    TileBlocks(index height, index width, index in)
        : height_(height), width_(width), tiles_down_(tiles(height)), tiles_across_(tiles(width)) {
        bool const has_many = in > many_channels;
        down_ = std::min<index>(tiles_down_, has_many ? 4 : 8);
        across_ = std::min<index>(tiles_across_, (has_many ? 32 : 64) / down_);
    }

    index count() const { return (tiles_down_ + down_ - 1) / down_ * columns(); }
    /// Of the largest block.
    index tiles() const { return down_ * across_; }
    /// Floats of the pixels of a block and their margin, of a chunk of channels.
    index patch() const {
        return (down_ * tile_side + 2) * (across_ * tile_side + 2) * chunk_channels;
    }
    TileBlock at(index i) const {
        index const row = i / columns() * down_, column = i % columns() * across_;
        return {.height = height_,
                .width = width_,
                .top = row * tile_side,
                .left = column * tile_side,
                .down = std::min(down_, tiles_down_ - row),
                .across = std::min(across_, tiles_across_ - column)};
    }
    /// Pixels of a block that are in the image.
    index pixels(index i) const {
        TileBlock const b = at(i);
        return std::min(b.down * tile_side, height_ - b.top) *
               std::min(b.across * tile_side, width_ - b.left);
    }

  private:
    static constexpr index many_channels = 640;

    static index tiles(index pixels) { return (pixels + tile_side - 1) / tile_side; }
    index columns() const { return (tiles_across_ + across_ - 1) / across_; }

    index height_, width_, tiles_down_, tiles_across_;
    index down_, across_;  // tiles of a block
};

}  // namespace sluice::nn

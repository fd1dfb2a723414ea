// Where decoded pixels go: an image of the level's own resolution, or one of means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/past_caches.h"
#include "domain/slide/pixels.h"
#include "domain/slide/plan.h"

namespace sluice::slide {

/// Called from many threads at once, for parts that do not overlap; with masks, from one, in order.
class Target {
  public:
    virtual ~Target() = default;
    /// Takes the rectangle `part` of the region, which is under the tile plan.tiles[job].
    virtual void put(std::size_t job, Placed const& tile, Pixels const& pixels,
                     Box const& part) = 0;
    virtual void fill(std::size_t job, Placed const& tile, double value, Box const& part) = 0;
    /// Memory that bytes of a file may be read to directly, and the bytes between two rows of it.
    virtual std::byte* memory() { return nullptr; }
    virtual index stride() const { return 0; }
    /// Whether that memory is larger than the caches, and is better written past them.
    virtual bool past_caches() const { return false; }
    /// When all tiles are in place.
    virtual void finish() {}
};

/// Row `y` of a part, resampled to the nearest pixel where the tile is stored larger or smaller.
void tile_row(Placed const& tile, Pixels const& pixels, Box const& part, index y, std::byte* to);

/// An image in memory: [height][width][samples].
class ImageTarget : public Target {
  public:
    ImageTarget(Plan const& plan, std::span<std::byte> out, double background, int threads);
    void put(std::size_t job, Placed const& tile, Pixels const& pixels, Box const& part) override;
    void fill(std::size_t job, Placed const& tile, double value, Box const& part) override;
    std::byte* memory() override { return out_.data(); }
    index stride() const override { return stride_; }
    bool past_caches() const override { return out_.size() >= past_caches_from; }

  private:
    std::span<std::byte> out_;
    PixelFormat format_;
    index stride_;
    std::byte* at(index x, index y) const { return out_.data() + y * stride_ + x * format_.bytes; }
};

}  // namespace sluice::slide

// An image of means: each pixel is the mean of the level's pixels that it covers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/target.h"

namespace sluice::slide {

/// No pixels of the level are kept: a pixel wholly inside of one tile's part is finished at once,
/// the others collect their sums per part and are finished at the end, in the order of the tiles.
/// Where tiles have masks, only pixels that no later tile hides are counted.
class MeanTarget : public Target {
  public:
    /// `out` has the given shape and covers the plan's shape; the plan must live as long.
    MeanTarget(Plan const& plan, Shape const& shape, std::span<std::byte> out, double background);
    void put(std::size_t job, Placed const& tile, Pixels const& pixels, Box const& part) override;
    void fill(std::size_t job, Placed const& tile, double value, Box const& part) override;
    void finish() override;

  private:
    struct Partial {
        index pixel;  ///< row * width + column of the image
        index count;
        double sum[4];
    };
    Plan const& plan_;
    index rows_, cols_;  ///< of the level's region
    Shape shape_;
    std::span<std::byte> out_;
    PixelFormat format_;
    std::vector<std::vector<Partial>> partial_;  ///< one list per job
    std::vector<std::size_t> masked_;            ///< jobs of tiles with a mask, ascending
    RectIndex masked_boxes_;

    index edge_x(index x) const { return x * cols_ / shape_.width; }
    index edge_y(index y) const { return y * rows_ / shape_.height; }
    void fill_cells(std::size_t job, std::byte const* pixel, Box const& part);
    template <class T>
    void put_as(std::size_t job, Placed const& tile, Pixels const& pixels, Box const& part);
    /// The tiles with masks that are drawn over a part of a tile.
    std::vector<Placed const*> above(std::size_t job, Box const& part) const;
    void add(std::size_t job, index cell_x, index cell_y, index count, double const* sum);
    void store(index pixel, index count, double const* sum);
};

}  // namespace sluice::slide

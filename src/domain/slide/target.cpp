// Putting decoded pixels into an image.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/target.h"

#include <algorithm>

#include "device/workers.h"

namespace sluice::slide {
namespace {

// Stretches of a row that the mask calls valid.
void copy_valid(Placed const& tile, Pixels const& pixels, Box const& part, index y, std::byte* to) {
    index const row = y - tile.box.top;
    for (index x = part.left; x < part.right;) {
        index end = x;
        bool const valid = tile.mask->valid(x - tile.box.left, row);
        while (end < part.right && tile.mask->valid(end - tile.box.left, row) == valid) ++end;
        if (valid)
            copy_row(pixels, x - tile.box.left, row, end - x,
                     to + (x - part.left) * pixels.format.bytes);
        x = end;
    }
}

}  // namespace

void tile_row(Placed const& tile, Pixels const& pixels, Box const& part, index y, std::byte* to) {
    index const width = tile.box.right - tile.box.left, height = tile.box.bottom - tile.box.top;
    index const row = (y - tile.box.top) * tile.height / height;
    if (width == tile.width) {
        copy_row(pixels, part.left - tile.box.left, row, part.right - part.left, to);
        return;
    }
    for (index x = part.left; x < part.right; ++x, to += pixels.format.bytes)
        copy_row(pixels, (x - tile.box.left) * tile.width / width, row, 1, to);
}

ImageTarget::ImageTarget(Plan const& plan, std::span<std::byte> out, double background, int threads)
    : out_(out), format_(plan.format), stride_(plan.shape.width * plan.format.bytes) {
    if (plan.covered) return;
    parallel_for(plan.shape.height, threads, 64,
                 [&](index y, int) { fill_row(format_, background, plan.shape.width, at(0, y)); });
}

void ImageTarget::put(std::size_t, Placed const& tile, Pixels const& pixels, Box const& part) {
    bool const same = tile.width == tile.box.right - tile.box.left &&
                      tile.height == tile.box.bottom - tile.box.top;
    if (same && !tile.mask) {
        copy_rect(pixels,
                  {part.left - tile.box.left, part.top - tile.box.top, part.right - part.left,
                   part.bottom - part.top},
                  at(part.left, part.top), stride_);
        return;
    }
    for (index y = part.top; y < part.bottom; ++y) {
        if (same)
            copy_valid(tile, pixels, part, y, at(part.left, y));
        else
            tile_row(tile, pixels, part, y, at(part.left, y));
    }
}

void ImageTarget::fill(std::size_t, Placed const&, double value, Box const& part) {
    for (index y = part.top; y < part.bottom; ++y)
        fill_row(format_, value, part.right - part.left, at(part.left, y));
}

}  // namespace sluice::slide

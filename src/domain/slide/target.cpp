// Putting decoded pixels into an image.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/target.h"

#include <algorithm>

#include "device/workers.h"

namespace sluice::slide {
namespace {

// Calls draw(left, right) for the stretches of a row that the mask calls valid.
template <class Draw>
void each_valid(Placed const& tile, Box const& part, index y, Draw const& draw) {
    if (!tile.mask) return draw(part.left, part.right);
    for (index x = part.left; x < part.right;) {
        index end = x;
        bool const valid = tile.valid(x, y);
        while (end < part.right && tile.valid(end, y) == valid) ++end;
        if (valid) draw(x, end);
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
                  at(part.left, part.top), stride_, past_caches());
        return;
    }
    for (index y = part.top; y < part.bottom; ++y)
        each_valid(tile, part, y, [&](index left, index right) {
            tile_row(tile, pixels, {left, y, right, y + 1}, y, at(left, y));
        });
}

void ImageTarget::fill(std::size_t, Placed const& tile, double value, Box const& part) {
    for (index y = part.top; y < part.bottom; ++y)
        each_valid(tile, part, y, [&](index left, index right) {
            fill_row(format_, value, right - left, at(left, y));
        });
}

}  // namespace sluice::slide

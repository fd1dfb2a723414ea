// Jumps and overlaps, out of the directory alone.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/profile/order.h"

#include <algorithm>
#include <cmath>

#include "domain/slide/visible.h"

namespace sluice::slide {
namespace {

Rect scaled(Rect const& r, double x, double y, double scale) {
    // Around a point inside, and never outside of the rectangle.
    auto const side = [](index from, index length, double middle, double s) {
        auto const size = std::max<index>(1, std::llround(static_cast<double>(length) * s));
        index const first = std::llround(middle - static_cast<double>(size) / 2);
        return std::pair(std::clamp(first, from, from + length - size), size);
    };
    auto const [left, width] = side(r.x, r.width, x, scale);
    auto const [top, height] = side(r.y, r.height, y, scale);
    return {left, top, width, height};
}

}  // namespace

Rect extent_of(Slide const& slide, Selection const& region) {
    if (region.rect) return *region.rect;
    for (Scene const& s : slide.scenes())
        if (region.scene && s.id == *region.scene) return s.bounds;
    return slide.bounds();
}

std::vector<std::int32_t> tiles_of(Slide const& slide, Selection const& region, int level) {
    std::vector<std::int32_t> found = slide.find(region.plane, level, extent_of(slide, region));
    if (region.scene)
        std::erase_if(found, [&](std::int32_t t) {
            return slide.tiles()[static_cast<std::size_t>(t)].scene != *region.scene;
        });
    return found;
}

SeekStats seeks_of(std::string order, std::vector<Stretch> const& stretches) {
    SeekStats s;
    s.order = std::move(order);
    std::vector<std::uint64_t> jumps;
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        std::uint64_t const from = stretches[i - 1].end, to = stretches[i].begin;
        jumps.push_back(to > from ? to - from : from - to);
        s.total += jumps.back();
        s.backwards += to < stretches[i - 1].begin;
    }
    if (jumps.empty()) return s;
    std::sort(jumps.begin(), jumps.end());
    s.median = jumps[jumps.size() / 2];
    s.largest = jumps.back();
    return s;
}

Amplification amplification_of(Slide const& slide, Selection const& region, int level,
                               std::vector<std::int32_t> const& tiles) {
    Amplification a;
    index all = 0;
    for (std::int32_t const t : tiles) {
        Selection own = region;
        own.rect = slide.tiles()[static_cast<std::size_t>(t)].rect;
        index const met = std::ssize(tiles_of(slide, own, level));
        all += met;
        a.most = std::max(a.most, met);
    }
    if (!tiles.empty()) a.per_tile = static_cast<double>(all) / static_cast<double>(tiles.size());
    return a;
}

namespace {

Box bounds_of(Slide const& slide, std::vector<std::int32_t> const& tiles) {
    Box all;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        Box const b = box_of(slide.tiles()[static_cast<std::size_t>(tiles[i])].rect);
        if (i == 0)
            all = b;
        else
            all.add(b);
    }
    return all;
}

}  // namespace

Selection middle_of(Slide const& slide, Selection const& region, int level, index most) {
    std::vector<std::int32_t> const all = tiles_of(slide, region, level);
    if (most <= 0 || std::ssize(all) <= most) return region;
    Rect const extent = extent_of(slide, region);
    // Around the tile that is nearest to the middle: the middle itself may be empty.
    double const x = static_cast<double>(extent.x) + static_cast<double>(extent.width) / 2;
    double const y = static_cast<double>(extent.y) + static_cast<double>(extent.height) / 2;
    double best = -1, at_x = x, at_y = y;
    for (std::int32_t const t : all) {
        Rect const& r = slide.tiles()[static_cast<std::size_t>(t)].rect;
        double const cx = static_cast<double>(r.x) + static_cast<double>(r.width) / 2;
        double const cy = static_cast<double>(r.y) + static_cast<double>(r.height) / 2;
        double const distance = std::hypot(cx - x, cy - y);
        if (best >= 0 && distance >= best) continue;
        best = distance;
        at_x = std::clamp(cx, static_cast<double>(extent.x),
                          static_cast<double>(extent.x + extent.width));
        at_y = std::clamp(cy, static_cast<double>(extent.y),
                          static_cast<double>(extent.y + extent.height));
    }
    Selection part = region;
    double low = 0, high = 1;
    for (int i = 0; i < 30; ++i) {
        double const middle = (low + high) / 2;
        part.rect = scaled(extent, at_x, at_y, middle);
        (std::ssize(tiles_of(slide, part, level)) <= most ? low : high) = middle;
    }
    part.rect = scaled(extent, at_x, at_y, low);
    // Where tiles lie far apart, most of those bytes belong to other tiles.
    if (Box const tiles = bounds_of(slide, tiles_of(slide, part, level)); !empty(tiles)) {
        Box const inside = common(box_of(*part.rect), tiles);
        part.rect =
            Rect{inside.left, inside.top, inside.right - inside.left, inside.bottom - inside.top};
    }
    return part;
}

}  // namespace sluice::slide

// Planes of a slide, read into one array.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "sluice/slide_stack.h"

namespace sluice::slide {
namespace {

// The order of OME-TIFF and OME-Zarr, with what they do not have in front.
constexpr Dimension order[] = {B, V, H, I, R, slide::T, C, Z};

// So many planes, of which hardly one has a tile, show that an index is wrong.
constexpr index many_planes = 4096, least_share = 64;

index count(IndexRange const& r) {
    return index{r.last} - r.first + 1;
}

// The position of a plane by its number in the stack.
PlaneIndex position(PlaneRanges const& ranges, index number) {
    PlaneIndex at = {};
    for (auto d = std::rbegin(order); d != std::rend(order); ++d) {
        at[*d] = ranges[*d].first + static_cast<std::int32_t>(number % count(ranges[*d]));
        number /= count(ranges[*d]);
    }
    return at;
}

std::string text_of(Slide const& slide, PlaneIndex const& at) {
    std::string text;
    for (std::size_t d = 0; d < at.size(); ++d)
        if (d < 3 || slide.counts()[d] > 1)
            text += fmt::format(" {} {}", dimension_letters[d], at[d]);
    return text;
}

// An image of background alone is not an answer.
Error nothing_there(Slide const& slide, Planes const& p, PlaneIndex const& last, index planes) {
    std::string what =
        planes > 1 ? fmt::format("{} planes", planes) : "plane" + text_of(slide, last);
    if (p.scene) what += fmt::format(", scene {}", *p.scene);
    if (p.rect) {
        Rect corner = slide.bounds();
        for (Scene const& s : slide.scenes())
            if (p.scene && s.id == *p.scene) corner = s.bounds;
        what += fmt::format(", region {},{},{},{}", p.rect->x - corner.x, p.rect->y - corner.y,
                            p.rect->width, p.rect->height);
    }
    auto const& tiles = slide.tiles();
    auto const other = std::find_if(tiles.begin(), tiles.end(), [&](Tile const& t) {
        return t.level == p.level && (!p.scene || t.scene == *p.scene);
    });
    if (other != tiles.end())
        what +=
            fmt::format("; the first tile is at {},{} in plane{}", other->rect.x - slide.bounds().x,
                        other->rect.y - slide.bounds().y, text_of(slide, other->at));
    return {
        Code::not_found,
        fmt::format(
            "no tile lies in the requested part ({}); choose planes with tiles, see sluice info",
            what),
        slide.path()};
}

Result<Shape> shape_of(Slide const& slide, Planes const& p) {
    return p.zoom ? slide.shape_at(p.region(), *p.zoom) : slide.shape(p.region(), p.level);
}

// Axes, extents and the shape of a plane.
Result<Stack> outline(Slide const& slide, Planes const& p) {
    Stack s;
    for (Dimension const d : order) {
        index const n = count(p.ranges[d]);
        if (n < 1)
            return Error{Code::invalid_argument,
                         fmt::format("{} from {} to {} (the last is before the first); give the "
                                     "smaller index first",
                                     dimension_letters[d], p.ranges[d].first, p.ranges[d].last)};
        s.planes = std::min(s.planes, std::numeric_limits<index>::max() / n) * n;
        if (n == 1) continue;
        s.axes += dimension_letters[d];
        s.extents.push_back(n);
    }
    SLUICE_TRY(s.shape, shape_of(slide, p));
    if (s.planes > many_planes && s.planes / least_share > std::ssize(slide.tiles()))
        return Error{Code::invalid_argument,
                     fmt::format("{} planes are requested (the file has {} tiles); choose planes "
                                 "with tiles by --plane, see sluice info",
                                 s.planes, slide.tiles().size())};
    return s;
}

Result<Buffer> memory_for(Stack const& s) {
    std::size_t sum = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(s.planes), s.shape.bytes(), &sum))
        sum = SIZE_MAX;
    return Buffer::allocate(sum);
}

}  // namespace

Selection Planes::region() const {
    return {position(ranges, 0), scene, rect};
}

std::vector<index> Stack::full_shape() const {
    std::vector<index> all = extents;
    all.insert(all.end(), {shape.height, shape.width});
    if (shape.samples > 1) all.push_back(shape.samples);
    return all;
}

Result<Stack> read_planes(Slide const& slide, Planes const& p, ReadOptions const& options) {
    SLUICE_TRY(Stack s, outline(slide, p));
    Selection region = p.region();
    Stats all;
    ReadOptions read = options;
    for (index number = 0; number < s.planes; ++number) {
        region.plane = position(p.ranges, number);
        Stats one;
        read.stats = &one;
        auto image =
            p.zoom ? slide.read_at(region, *p.zoom, read) : slide.read(region, p.level, read);
        all += one;
        if (options.stats) *options.stats += one;
        if (!image) return std::move(image).error();
        s.planes_without += one.tiles_hit == 0;
        if (s.planes == 1) {
            s.shape = image->shape;
            s.pixels = std::move(image->pixels);
            break;
        }
        if (number == 0) {
            s.shape = image->shape;
            SLUICE_TRY(s.pixels, memory_for(s));
        }
        expects(image->shape.height == s.shape.height && image->shape.width == s.shape.width);
        if (image->shape.samples != s.shape.samples || image->shape.sample != s.shape.sample)
            return Error{
                Code::unsupported,
                fmt::format("the channels have different pixel types (channel {} has {} x "
                            "{}); read them one by one with --channel",
                            region.plane[C], image->shape.samples, name_of(image->shape.sample))};
        std::size_t const bytes = s.shape.bytes();
        std::memcpy(s.pixels.data() + static_cast<std::size_t>(number) * bytes,
                    image->pixels.data(), bytes);
    }
    if (all.pixels_background == all.pixels_region)
        return nothing_there(slide, p, region.plane, s.planes);
    return s;
}

}  // namespace sluice::slide

// Reading at any zoom, from the level that is fine enough and complete.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/slide/impl.h"
#include "domain/slide/mean.h"

namespace sluice::slide {
namespace {

// How much of the finest level a usable level may lack: edges are rounded to its pixels.
constexpr double complete = 0.98;
// A coarse level may be this much coarser than asked for: factors of 3 and zooms of 1/3 are
// inexact.
constexpr double tolerance = 1.0 + 1e-9;

struct Choice {
    int level = 0, reduction = 1;
};

bool all_reducible(TileSource const& source, Model const& m, Selection const& region) {
    Group const* const g = m.group(region.plane, 0);
    return g && std::all_of(g->tiles.begin(), g->tiles.end(), [&](std::int32_t t) {
               return source.reducible(m.tiles[static_cast<std::size_t>(t)]);
           });
}

Choice choose(TileSource const& source, Model const& m, Selection const& region, double zoom,
              bool may_reduce) {
    Choice best;
    auto const type = type_of(m, region.plane, 0);
    double const whole = std::size(m.levels) > 1 ? coverage(m, region, 0) : 0;
    for (int l = 1; l < std::ssize(m.levels); ++l) {
        auto const factor = static_cast<double>(m.levels[static_cast<std::size_t>(l)].factor);
        auto const other = type_of(m, region.plane, l);
        // The image has the pixel type of the finest level.
        if (!type || !other || *other != *type) continue;
        if (factor * zoom <= tolerance && coverage(m, region, l) >= complete * whole)
            best.level = l;
    }
    if (best.level == 0 && may_reduce && all_reducible(source, m, region))
        for (int const r : {4, 16})
            if (r * zoom <= tolerance) best.reduction = r;
    return best;
}

}  // namespace

Result<Shape> Slide::shape_at(Selection const& region, double zoom) const {
    if (!(zoom > 0 && zoom <= 1))
        return Error{
            Code::invalid_argument,
            fmt::format("a zoom of {} is not possible (it must be above 0 and at most 1)", zoom)};
    SLUICE_TRY(Shape shape, this->shape(region, 0));
    shape.height = std::max<index>(1, static_cast<index>(static_cast<double>(shape.height) * zoom));
    shape.width = std::max<index>(1, static_cast<index>(static_cast<double>(shape.width) * zoom));
    return shape;
}

Result<Image> Slide::read_at(Selection const& region, double zoom,
                             ReadOptions const& options) const {
    Image image;
    SLUICE_TRY(image.shape, shape_at(region, zoom));
    Choice const c = choose(*impl_->source, impl_->model, region, zoom, options.reduced);
    ReadOptions o = options;
    o.reduction = c.reduction;
    SLUICE_TRY(Shape const level, shape(region, c.level, c.reduction));
    if (level.height == image.shape.height && level.width == image.shape.width)
        return read(region, c.level, o);
    if (image.shape.sample == DType::c64)
        return Error{Code::unsupported,
                     "means of complex pixels are not an image; read a level instead"};
    image.shape.height = std::min(image.shape.height, level.height);
    image.shape.width = std::min(image.shape.width, level.width);
    // The edges of a pixel are products of these.
    index product = 0;
    if (__builtin_mul_overflow(image.shape.width, level.width, &product) ||
        __builtin_mul_overflow(image.shape.height, level.height, &product))
        return Error{Code::invalid_argument,
                     fmt::format("a region of {} x {} pixels is too large for a zoom of {}; read a "
                                 "smaller region",
                                 level.width, level.height, zoom)};
    SLUICE_CHECK(check_sparse(impl_->model, region, c.level, image.shape));
    SLUICE_TRY(image.pixels, Buffer::allocate(image.shape.bytes()));
    auto const target = [&](Plan const& plan) -> std::unique_ptr<Target> {
        return std::make_unique<MeanTarget>(plan, image.shape, image.pixels.span(),
                                            options.background);
    };
    SLUICE_CHECK(impl_->read(region, c.level, o, target));
    return image;
}

}  // namespace sluice::slide

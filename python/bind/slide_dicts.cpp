// What the structs of slides are in Python, and what Python says is to be read.
// SPDX-License-Identifier: Apache-2.0
#include "bind/arrays.h"
#include "bind/device.h"
#include "bind/slide.h"

namespace sluice::python {

slide::Selection region_of(Plane const& plane, std::optional<std::int32_t> scene,
                           Corners const& rect) {
    slide::Selection region;
    region.plane = plane;
    region.scene = scene;
    if (rect) region.rect = slide::Rect{(*rect)[0], (*rect)[1], (*rect)[2], (*rect)[3]};
    return region;
}

int checked_threads(int threads) {
    device_named("cpu", threads);
    return threads;
}

Told::Told(Reading const& reading) {
    auto const& [threads, background, fill_bad, reduction, reduced, cache, trace] = reading;
    options.threads = checked_threads(threads);
    options.background = background;
    options.fill_bad = fill_bad;
    options.reduction = reduction;
    options.reduced = reduced;
    if (!cache.is_none()) options.cache = nb::cast<slide::TileCache*>(cache);
    if (!trace.is_none()) options.trace = nb::cast<Trace*>(trace);
    options.stats = &stats;
    options.bad = &bad;
}

nb::dict dict_of(slide::Stats const& s) {
    nb::dict out;
    out["tiles_hit"] = s.tiles_hit;
    out["tiles_hidden"] = s.tiles_hidden;
    out["tiles_decoded"] = s.tiles_decoded;
    out["tiles_bad"] = s.tiles_bad;
    out["bytes_read"] = s.bytes_read;
    out["pixels_decoded"] = s.pixels_decoded;
    out["pixels_returned"] = s.pixels_returned;
    out["pixels_region"] = s.pixels_region;
    out["pixels_background"] = s.pixels_background;
    out["tiles_rounded"] = s.tiles_rounded;
    return out;
}

nb::tuple tuple_of(slide::Rect const& r) {
    return nb::make_tuple(r.x, r.y, r.width, r.height);
}

nb::dict Told::dict(slide::Stack const& stack) const {
    nb::dict out;
    out["stats"] = dict_of(stats);
    nb::list filled;
    for (slide::BadTile const& b : bad)
        filled.append(nb::make_tuple(b.tile, exception_of(b.error)));
    out["bad"] = filled;
    out["notes"] = remarks(stack, stats, bad, options);
    return out;
}

nb::dict dict_of(slide::Stack stack, Told const& told) {
    nb::dict out = told.dict(stack);
    auto const [at, owner] = kept(std::move(stack.pixels));
    out["values"] = loose_array(at->data(), stack.full_shape(), stack.shape.sample, owner);
    out["axes"] = stack.axes + (stack.shape.samples > 1 ? "YXS" : "YX");
    return out;
}

void check_czi(slide::Slide const& slide, char const* what) {
    if (slide.format() != "czi")
        raise({Code::unsupported,
               std::string(what) + " (only CZI files have that, and this is " +
                   std::string(slide.format()) + ")",
               slide.path()});
}

}  // namespace sluice::python

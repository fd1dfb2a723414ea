// Slide: what it has, and its pixels.
// SPDX-License-Identifier: Apache-2.0
#include "bind/slide.h"

#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/work.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using slide::Slide;

Slide open_slide(std::string const& path, bool recover, bool trust_directory, bool map) {
    return work(nb::none(), [&](Telling&) {
        return Slide::open(path, {recover, trust_directory}, map ? Access::map : Access::read);
    });
}

nb::object tiles_of(Slide const& slide) {
    std::vector<index> rows;
    for (slide::Tile const& t : slide.tiles()) {
        rows.insert(rows.end(), {t.rect.x, t.rect.y, t.rect.width, t.rect.height, t.stored_width,
                                 t.stored_height});
        rows.insert(rows.end(), t.at.begin(), t.at.end());
        rows.insert(rows.end(), {t.scene, t.m, static_cast<index>(t.pixel_type), t.entry, t.plane,
                                 t.level, t.order});
    }
    return to_numpy(std::move(rows), {std::ssize(slide.tiles()), 13 + slide::dimension_count});
}

nb::list levels_of(Slide const& slide) {
    nb::list out;
    for (slide::Level const& l : slide.levels()) out.append(nb::make_tuple(l.factor, l.tiles));
    return out;
}

nb::list scenes_of(Slide const& slide) {
    nb::list out;
    for (slide::Scene const& s : slide.scenes())
        out.append(nb::make_tuple(s.id == slide::none ? nb::none() : nb::object(nb::int_(s.id)),
                                  tuple_of(s.bounds), s.tiles));
    return out;
}

nb::tuple shape_of(slide::Shape const& s) {
    return nb::make_tuple(s.height, s.width, s.samples, std::string(name_of(s.sample)));
}

nb::tuple shape(Slide const& slide, Plane plane, std::optional<std::int32_t> scene, Corners rect,
                int level, std::optional<double> zoom, int reduction) {
    slide::Selection const region = region_of(plane, scene, rect);
    return shape_of(
        unwrap(zoom ? slide.shape_at(region, *zoom) : slide.shape(region, level, reduction)));
}

nb::dict read(Slide const& slide, Plane plane, std::optional<std::int32_t> scene, Corners rect,
              int level, std::optional<double> zoom, Reading const& reading, nb::object progress) {
    Told told(reading);
    slide::Selection const region = region_of(plane, scene, rect);
    expect_room(unwrap(zoom ? slide.shape_at(region, *zoom)
                            : slide.shape(region, level, told.options.reduction))
                    .bytes());
    slide::Image image = work(progress, [&](Telling& telling) {
        told.options.progress = telling.progress();
        return zoom ? slide.read_at(region, *zoom, told.options)
                    : slide.read(region, level, told.options);
    });
    slide::Stack stack;
    stack.shape = image.shape;
    stack.pixels = std::move(image.pixels);
    stack.planes_without = told.stats.tiles_hit == 0;
    return dict_of(std::move(stack), told);
}

// The same into memory of NumPy's; returns what dict_of() does, without values.
nb::dict read_into(Slide const& slide, Plane plane, std::optional<std::int32_t> scene, Corners rect,
                   int level, Reading const& reading,
                   nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
    Told told(reading);
    slide::Stack stack;
    slide::Selection const region = region_of(plane, scene, rect);
    std::span const bytes{reinterpret_cast<std::byte*>(out.data()), out.size()};
    work(nb::none(), [&](Telling& telling) {
        told.options.progress = telling.progress();
        return slide.read(region, level, told.options, bytes);
    });
    stack.planes_without = told.stats.tiles_hit == 0;
    return told.dict(stack);
}

slide::Planes planes_of(std::vector<std::array<std::int32_t, 2>> const& ranges,
                        std::optional<std::int32_t> scene, Corners const& rect, int level,
                        std::optional<double> zoom) {
    slide::Planes p;
    if (ranges.size() != p.ranges.size())
        raise({Code::invalid_argument, "as many ranges as there are dimensions are needed"});
    for (std::size_t d = 0; d < ranges.size(); ++d) p.ranges[d] = {ranges[d][0], ranges[d][1]};
    slide::Selection const region = region_of({}, scene, rect);
    p.scene = region.scene;
    p.rect = region.rect;
    p.level = level;
    p.zoom = zoom;
    return p;
}

nb::dict read_planes(Slide const& slide, std::vector<std::array<std::int32_t, 2>> const& ranges,
                     std::optional<std::int32_t> scene, Corners rect, int level,
                     std::optional<double> zoom, Reading const& reading, nb::object progress) {
    Told told(reading);
    slide::Planes const planes = planes_of(ranges, scene, rect, level, zoom);
    slide::Selection const first = planes.region();
    double bytes = static_cast<double>(
        unwrap(zoom ? slide.shape_at(first, *zoom) : slide.shape(first, level)).bytes());
    for (slide::IndexRange const& r : planes.ranges)
        bytes *= std::max(0.0, static_cast<double>(r.last) - static_cast<double>(r.first) + 1);
    expect_room(bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1} << 60);
    slide::Stack stack = work(progress, [&](Telling& telling) {
        told.options.progress = telling.progress();
        return slide::read_planes(slide, planes, told.options);
    });
    return dict_of(std::move(stack), told);
}

nb::dict read_tile(Slide const& slide, std::int32_t tile, Reading const& reading) {
    Told told(reading);
    expect_room(unwrap(slide.tile_shape(tile)).bytes());
    slide::Image image = work(nb::none(), [&](Telling& telling) {
        told.options.progress = telling.progress();
        return slide.read_tile(tile, told.options);
    });
    slide::Stack stack;
    stack.shape = image.shape;
    stack.pixels = std::move(image.pixels);
    return dict_of(std::move(stack), told);
}

nb::dict read_tile_stack(Slide const& slide, std::vector<std::int32_t> const& tiles,
                         Reading const& reading, nb::object progress) {
    Told told(reading);
    if (!tiles.empty()) expect_room(unwrap(slide.tile_shape(tiles[0])).bytes() * tiles.size());
    slide::Stack stack = work(progress, [&](Telling& telling) {
        told.options.progress = telling.progress();
        return slide::read_tile_stack(slide, tiles, told.options);
    });
    return dict_of(std::move(stack), told);
}

std::vector<std::int32_t> tiles_in(Slide const& slide, Plane plane,
                                   std::optional<std::int32_t> scene, Corners rect, int level) {
    slide::Selection const region = region_of(plane, scene, rect);
    unwrap(slide.shape(region, level));  // says which part of the region is missing
    return work(nb::none(), [&](Telling&) { return slide::tiles_in(slide, region, level); });
}

std::string compression(Slide const& slide, std::int32_t tile) {
    unwrap(slide.tile_shape(tile));
    return slide.compression(tile);
}

nb::object view_tile(nb::object self, std::int32_t tile) {
    Bytes const bytes = unwrap(nb::cast<Slide const&>(self).view_tile(tile));
    return shared_array(reinterpret_cast<std::uint8_t const*>(bytes.data()), {std::ssize(bytes)},
                        self);
}

nb::list spans_of(Trace const& trace) {
    nb::list out;
    for (Span const& s : trace.spans())
        out.append(nb::make_tuple(std::string(name_of(s.phase)), s.worker, s.item, s.begin_ns,
                                  s.end_ns, s.cpu_ns, s.bytes));
    return out;
}

}  // namespace

void add_slide(nb::module_& m) {
    nb::class_<slide::TileCache>(m, "TileCache").def(nb::init<std::size_t>(), "bytes"_a);
    nb::class_<Trace>(m, "Trace")
        .def(nb::init<int>(), "workers"_a)
        .def("spans", spans_of)
        .def("events", [](Trace const& t, std::string const& program, std::string const& item) {
            return trace_events(t, program, item);
        });
    nb::class_<Slide>(m, "Slide")
        .def_prop_ro("format", [](Slide const& s) { return std::string(s.format()); })
        .def_prop_ro("path", [](Slide const& s) { return s.path(); })
        .def_prop_ro("tiles", tiles_of)
        .def_prop_ro("levels", levels_of)
        .def_prop_ro("scenes", scenes_of)
        .def_prop_ro("bounds", [](Slide const& s) { return tuple_of(s.bounds()); })
        .def_prop_ro("first", [](Slide const& s) { return s.first(); })
        .def_prop_ro("counts", [](Slide const& s) { return s.counts(); })
        .def_prop_ro("notes", [](Slide const& s) { return s.notes(); })
        .def("pixel_type",
             [](Slide const& s, Plane plane) {
                 return std::string(name_of(unwrap(s.pixel_type(plane))));
             })
        .def("compression", compression)
        .def("compare_all",
             [](Slide const& s) { work(nb::none(), [&](Telling&) { return s.compare_all(); }); })
        .def("tile_shape",
             [](Slide const& s, std::int32_t tile) { return shape_of(unwrap(s.tile_shape(tile))); })
        .def("shape", shape, "plane"_a, "scene"_a.none(), "rect"_a.none(), "level"_a,
             "zoom"_a.none(), "reduction"_a)
        .def("read", read, "plane"_a, "scene"_a.none(), "rect"_a.none(), "level"_a, "zoom"_a.none(),
             "reading"_a, "progress"_a.none())
        .def("read_into", read_into, "plane"_a, "scene"_a.none(), "rect"_a.none(), "level"_a,
             "reading"_a, "out"_a.noconvert())
        .def("read_planes", read_planes, "ranges"_a, "scene"_a.none(), "rect"_a.none(), "level"_a,
             "zoom"_a.none(), "reading"_a, "progress"_a.none())
        .def("read_tile", read_tile, "tile"_a, "reading"_a)
        .def("read_tile_stack", read_tile_stack, "tiles"_a, "reading"_a, "progress"_a.none())
        .def("tiles_in", tiles_in, "plane"_a, "scene"_a.none(), "rect"_a.none(), "level"_a);
    m.def("pixel_type_name", [](std::int32_t number) {
        return std::string(name_of(static_cast<slide::PixelType>(number)));
    });
    m.def("expect_room", expect_room, "bytes"_a);
    m.def("view_tile", view_tile, "slide"_a, "tile"_a);
    m.def("open_slide", open_slide, "path"_a, "recover"_a, "trust_directory"_a, "map"_a);
    m.def("slides_in", [](std::string const& path) {
        return work(nb::none(), [&](Telling&) { return slide::slides_in(path); });
    });
    add_slide_file(m);
    add_slide_convert(m);
    add_slide_profile(m);
}

}  // namespace sluice::python

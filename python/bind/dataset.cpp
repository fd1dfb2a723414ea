// Dataset: opened acquisitions, and those of the caller's arrays.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/dataset.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/keep.h"
#include "bind/work.h"
#include "config/field.h"
#include "format/fields.h"
#include "format/tpx3/words.h"
#include "sluice/memory_dataset.h"

namespace sluice::python {
namespace {

using namespace nb::literals;

DType dtype_named(std::string const& name) {
    for (int t = 0; t <= static_cast<int>(DType::c128); ++t)
        if (name_of(static_cast<DType>(t)) == name) return static_cast<DType>(t);
    raise({Code::unsupported, "an array of dtype " + name +
                                  "; convert it to one of the integers or floats, as in "
                                  "a.astype('float32')"});
}

// NumPy checks shapes and strides; what comes here is the address of its element [0, 0, 0, 0].
Dataset from_array(nb::object owner, std::uintptr_t address, std::string const& dtype,
                   std::array<index, 4> shape, std::array<index, 4> strides, std::string name,
                   std::optional<Dense<std::uint32_t, 2>> const& pixel_mask) {
    Dataset d =
        unwrap(from_memory({.data = reinterpret_cast<void const*>(address),
                            .dtype = dtype_named(dtype),
                            .shape = shape,
                            .strides = strides,
                            .owner = keep(std::move(owner), static_cast<void const*>(nullptr)),
                            .name = std::move(name)}));
    if (!pixel_mask) return d;
    if (static_cast<index>(pixel_mask->shape(0)) != d.rows ||
        static_cast<index>(pixel_mask->shape(1)) != d.cols)
        raise({Code::invalid_argument,
               fmt::format("the pixel mask has the shape ({}, {}); frames have ({}, {})",
                           pixel_mask->shape(0), pixel_mask->shape(1), d.rows, d.cols)});
    d.pixel_mask.assign(pixel_mask->data(), pixel_mask->data() + pixel_mask->size());
    return d;
}

OpenOptions options_of(nb::dict given) {
    OpenOptions o;
    std::size_t known = 0;
    auto const take = [&](char const* key, auto& into) {
        if (!given.contains(key)) return;
        ++known;
        nb::object const value = given[key];
        if (!nb::try_cast(value, into))
            raise({Code::invalid_argument, std::string(key) + " is " + nb::repr(value).c_str() +
                                               ", which it cannot be; see help(sluice.open)"});
    };
    take("scan_shape", o.scan_shape);
    take("allow_incomplete", o.allow_incomplete);
    take("dataset", o.format.of<Hdf5Options>().dataset);
    take("channel", o.format.of<NxmxOptions>().channel);
    take("raw_dtype", o.format.of<RawOptions>().raw_dtype);
    take("raw_frame", o.format.of<RawOptions>().raw_frame);
    take("raw_offset", o.format.of<RawOptions>().raw_offset);
    take("dm_image", o.format.of<DmOptions>().dm_image);
    take("tvips_start", o.format.of<TvipsOptions>().tvips_start);
    auto& tpx3 = o.format.of<Tpx3Options>();
    std::string line_edge;
    take("line_edge", line_edge);
    if (!line_edge.empty()) tpx3.line_edge = choice<TdcEdge>("line_edge", line_edge);
    take("one_edge", tpx3.one_edge);
    take("point_s", tpx3.point_s);
    take("window_s", tpx3.window_s);
    take("chip_layout", tpx3.chip_layout);
    take("tpx3_flyback", tpx3.tpx3_flyback);
    take("axis_order", o.axis_order);
    if (known != given.size())
        raise({Code::invalid_argument, std::string("unknown options among ") +
                                           nb::repr(given).c_str() + "; see help(sluice.open)"});
    if (Status const fits = config::check_fields(o, open_fields()); !fits) raise(fits.error());
    return o;
}

nb::tuple series(std::vector<std::string> const& paths, nb::dict options, bool skip_bad) {
    SeriesOptions const how{options_of(options), skip_bad};
    Series found = work(nb::none(), [&](Telling&) { return open_series(paths, how); });
    nb::list members;
    for (Dataset& d : found.members) members.append(nb::cast(std::move(d)));
    return nb::make_tuple(members, found.skipped);
}

nb::list metadata_of(Dataset const& d) {
    nb::list out;
    for (MetaField const& f : all_fields(d)) out.append(nb::make_tuple(f.name, f.value, f.unit));
    return out;
}

nb::object turn_of(Dataset const& d) {
    if (!d.detector_turn) return nb::none();
    return nb::make_tuple(d.detector_turn->degrees, d.detector_turn->transpose);
}

nb::list missing_of(Dataset const& d) {
    nb::list out;
    for (FrameRun const& run : d.missing_runs) out.append(nb::make_tuple(run.first, run.count));
    return out;
}

nb::object mask_of(Dataset const& d) {
    if (d.pixel_mask.empty()) return nb::none();
    return to_numpy(d.pixel_mask, {d.rows, d.cols});
}

}  // namespace

void add_dataset(nb::module_& m) {
    nb::class_<Dataset>(m, "Dataset")
        .def_ro("path", &Dataset::path)
        .def_ro("format", &Dataset::format)
        .def_ro("files", &Dataset::files)
        .def_prop_ro("dtype", [](Dataset const& d) { return std::string(name_of(d.dtype)); })
        .def_ro("frames", &Dataset::frames)
        .def_ro("missing", &Dataset::missing)
        .def_prop_ro("missing_runs", missing_of)
        .def_prop_ro("scan_shape",
                     [](Dataset const& d) { return nb::make_tuple(d.scan[0], d.scan[1]); })
        .def_prop_ro("detector_shape",
                     [](Dataset const& d) { return nb::make_tuple(d.rows, d.cols); })
        .def_ro("scan_from", &Dataset::scan_from)
        .def_prop_ro("pixel_mask", mask_of)
        .def_ro("saturation", &Dataset::saturation)
        .def_ro("energy_kv", &Dataset::energy_kv)
        .def_ro("semiangle_mrad", &Dataset::semiangle_mrad)
        .def_ro("scan_step_nm", &Dataset::scan_step_nm)
        .def_ro("detector_step_mrad", &Dataset::detector_step_mrad)
        .def_ro("detector_step_per_nm", &Dataset::detector_step_per_nm)
        .def_ro("detector_pixel_um", &Dataset::detector_pixel_um)
        .def_ro("camera_length_mm", &Dataset::camera_length_mm)
        .def_ro("dwell_s", &Dataset::dwell_s)
        .def_prop_ro("detector_turn", turn_of)
        .def_prop_ro("metadata", metadata_of)
        .def_ro("notes", &Dataset::notes)
        .def_ro("warnings", &Dataset::warnings);
    m.def(
        "open",
        [](std::string const& path, nb::dict options) {
            OpenOptions const how = options_of(options);
            return work(nb::none(), [&](Telling&) { return open(path, how); });
        },
        "path"_a, "options"_a);
    m.def("open_series", series, "paths"_a, "options"_a, "skip_bad"_a);
    m.def(
        "list_members",
        [](std::string const& folder, nb::dict options) {
            OpenOptions const how = options_of(options);
            return work(nb::none(), [&](Telling&) { return list_members(folder, how); });
        },
        "folder"_a, "options"_a);
    m.def("from_array", from_array, "owner"_a, "address"_a, "dtype"_a, "shape"_a, "strides"_a,
          "name"_a, "pixel_mask"_a.none());
}

}  // namespace sluice::python

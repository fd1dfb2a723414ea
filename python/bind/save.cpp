// Arrays and images in space, written whole or not at all; and images in space read.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/save.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/work.h"
#include "sluice/load_volume.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using Fields = std::vector<std::pair<std::string, std::string>>;
template <class T>
using Dense0 = nb::ndarray<T const, nb::c_contig, nb::device::cpu>;

template <class T>
Array<T> array_of(Dense0<T> const& from) {
    Array<T> out;
    for (std::size_t d = 0; d < from.ndim(); ++d)
        out.shape.push_back(static_cast<index>(from.shape(d)));
    out.values.assign(from.data(), from.data() + from.size());
    return out;
}

// The bytes of an array of any type, whose dtype is told beside it: nanobind does not know half.
Elements elements_of(Dense0<std::uint8_t> const& bytes, std::string const& dtype,
                     std::vector<index> const& shape) {
    for (int t = 0; t <= static_cast<int>(DType::c128); ++t) {
        auto const type = static_cast<DType>(t);
        if (name_of(type) != dtype) continue;
        index n = size_of(type);
        for (index const e : shape) n *= e;
        if (static_cast<std::size_t>(n) != bytes.size()) break;
        return {type, shape, {reinterpret_cast<std::byte const*>(bytes.data()), bytes.size()}};
    }
    raise({Code::invalid_argument, "an array of " + dtype + " cannot be saved"});
}

void npy(std::string const& path, Dense0<std::uint8_t> const& bytes, std::string const& dtype,
         std::vector<index> const& shape, nb::object progress) {
    Elements const e = elements_of(bytes, dtype, shape);
    work(progress, [&](Telling& telling) { return save_npy(path, e, telling.progress()); });
}

void tiff(std::string const& path, Dense0<std::uint8_t> const& bytes, std::string const& dtype,
          std::vector<index> const& shape, Fields const& fields) {
    Elements const e = elements_of(bytes, dtype, shape);
    Provenance const provenance{fields};
    work(nb::none(), [&](Telling&) { return save_tiff(path, e, provenance); });
}

using Named = std::tuple<std::string, std::string, nb::object>;

NamedArray named(Named const& from) {
    auto const& [name, unit, array] = from;
    NamedArray out{name, unit, Array<float>{}};
    if (Dense0<float> f; nb::try_cast(array, f, false))
        out.array = array_of(f);
    else if (Dense0<double> d; nb::try_cast(array, d, false))
        out.array = array_of(d);
    else
        out.array = array_of(nb::cast<Dense0<std::uint64_t>>(array));
    return out;
}

void hdf5(std::string const& path, std::vector<Named> const& arrays, Fields const& fields) {
    std::vector<NamedArray> all;
    for (Named const& a : arrays) all.push_back(named(a));
    Provenance const provenance{fields};
    work(nb::none(), [&](Telling&) { return save_hdf5(path, all, provenance); });
}

void png(std::string const& path, Dense<std::uint8_t, 3> const& pixels, Fields const& fields) {
    Picture p{static_cast<index>(pixels.shape(0)), static_cast<index>(pixels.shape(1)), {}};
    if (pixels.shape(2) != 3)
        raise({Code::invalid_argument, "a picture is an array [row, col, 3] of uint8"});
    p.rgb.assign(pixels.data(), pixels.data() + pixels.size());
    Provenance const provenance{fields};
    work(nb::none(), [&](Telling&) { return save_png(path, p, provenance); });
}

Volume volume(Dense0<float> const& image, std::vector<double> const& spacing,
              std::vector<double> const& origin, AxisDirections const& direction,
              std::string const& content) {
    std::size_t const n = image.ndim();
    auto const fits = [n](std::vector<double> const& v) { return v.empty() || v.size() == n; };
    if ((n != 2 && n != 3) || image.size() == 0 || !fits(spacing) || !fits(origin))
        raise(
            {Code::invalid_argument,
             fmt::format("an image of {} axes and {} elements with {} spacings and {} origins; it "
                         "has 2 or 3 axes, none empty, and a spacing and an origin for each of "
                         "them or none",
                         n, image.size(), spacing.size(), origin.size())});
    return {array_of(image), spacing, origin, direction, content};
}

}  // namespace

void add_save(nb::module_& m) {
    m.def("save_npy", npy, "path"_a, "bytes"_a, "dtype"_a, "shape"_a, "progress"_a.none());
    m.def("save_tiff", tiff, "path"_a, "bytes"_a, "dtype"_a, "shape"_a, "provenance"_a);
    m.def("save_hdf5", hdf5, "path"_a, "arrays"_a, "provenance"_a);
    m.def("save_png", png, "path"_a, "pixels"_a.noconvert(), "provenance"_a);
    m.def(
        "save_metaimage",
        [](std::string const& path, Volume const& v) {
            work(nb::none(), [&](Telling&) { return save_metaimage(path, v); });
        },
        "path"_a, "volume"_a);
    m.def(
        "save_nrrd",
        [](std::string const& path, Volume const& v, Fields const& fields) {
            Provenance const provenance{fields};
            work(nb::none(), [&](Telling&) { return save_nrrd(path, v, provenance); });
        },
        "path"_a, "volume"_a, "provenance"_a);
    m.def(
        "provenance_of",
        [](std::string const& command, std::vector<std::string> const& sources) {
            return provenance_of(command, sources).fields;
        },
        "command"_a, "sources"_a);
    nb::class_<Volume>(m, "Volume")
        .def_prop_ro("image",
                     [](nb::handle self) {
                         auto& v = nb::cast<Volume&>(self);
                         return shared_array(v.image.values.data(), v.image.shape, self);
                     })
        .def_ro("spacing", &Volume::spacing)
        .def_ro("origin", &Volume::origin)
        .def_ro("direction", &Volume::direction)
        .def_prop_ro("turned", [](Volume const& v) { return !is_straight(v.direction); })
        .def_ro("content", &Volume::content);
    m.def("make_volume", volume, "image"_a.noconvert(), "spacing"_a, "origin"_a, "direction"_a,
          "content"_a);
    m.def(
        "load_volume",
        [](std::string const& path, std::optional<std::uint64_t> most_bytes) {
            return work(nb::none(), [&](Telling&) {
                return most_bytes ? load_volume(path, *most_bytes) : load_volume(path);
            });
        },
        "path"_a, "most_bytes"_a.none());
}

}  // namespace sluice::python

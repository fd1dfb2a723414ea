// Products of scans: virtual images, centres of mass, patterns.
// SPDX-License-Identifier: Apache-2.0
#include "bind/stem4d.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/drift.h"
#include "bind/work.h"
#include "domain/stem4d/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::Detector;
using Pair = std::array<double, 2>;  // row, col

stem4d::Point point_of(Pair const& p) {
    return {p[0], p[1]};
}

Detector make_detector(std::string name, std::string const& shape, std::string const& unit,
                       std::optional<Pair> center, double inner, double outer, Pair from, Pair to,
                       std::vector<Pair> const& corners,
                       std::optional<Dense<float, 2>> const& pixels) {
    Detector d{.name = std::move(name),
               .shape = choice<Detector::Shape>("shape", shape),
               .unit = choice<Detector::Unit>("unit", unit),
               .inner = inner,
               .outer = outer,
               .from = point_of(from),
               .to = point_of(to)};
    if (center) d.center = point_of(*center);
    for (Pair const& c : corners) d.corners.push_back(point_of(c));
    if (pixels) {
        d.from = {static_cast<double>(pixels->shape(0)), static_cast<double>(pixels->shape(1))};
        d.pixels = to_array<float, 2>(*pixels).values;
    }
    return d;
}

nb::dict fields_of(Detector const& d) {
    nb::dict out;
    out["name"] = d.name;
    out["shape"] = name_of_choice(d.shape);
    out["unit"] = name_of_choice(d.unit);
    out["center"] =
        d.center ? nb::object(nb::make_tuple(d.center->row, d.center->col)) : nb::none();
    out["inner"] = d.inner;
    out["outer"] = d.outer;
    out["from_"] = nb::make_tuple(d.from.row, d.from.col);
    out["to"] = nb::make_tuple(d.to.row, d.to.col);
    nb::list corners;
    for (stem4d::Point const& p : d.corners) corners.append(nb::make_tuple(p.row, p.col));
    out["corners"] = nb::tuple(corners);
    out["pixels"] =
        d.pixels.empty()
            ? nb::none()
            : to_numpy(d.pixels, {static_cast<index>(d.from.row), static_cast<index>(d.from.col)});
    return out;
}

stem4d::Options options_of(std::string const& device, int threads,
                           std::optional<DiskNumbers> const& disk, bool mean) {
    return {.device = device_named(device, threads), .disk = disk_of(disk), .mean = mean};
}

stem4d::References references(std::optional<Dense<float, 2>> const& dark,
                              std::optional<Dense<float, 2>> const& gain,
                              std::string const& dark_file, std::string const& gain_file) {
    stem4d::References out = unwrap(stem4d::load_references(dark_file, gain_file));
    for (auto const& [given, to] : {std::pair(&dark, &out.dark), {&gain, &out.gain}}) {
        if (!*given) continue;
        *to = to_array<float, 2>(**given);
        if (to->size() == 0)
            raise({Code::invalid_argument,
                   "a reference has no pixel (one of its extents is 0); give one of the full "
                   "detector's shape"});
    }
    return out;
}

stem4d::Pattern pattern_named(std::string const& name) {
    return unwrap(stem4d::parse_pattern(name));
}

nb::dict products(Scan const& scan, std::vector<Detector> const& detectors, bool center_of_mass,
                  std::optional<Detector> const& within, std::vector<std::string> const& patterns,
                  std::optional<Dense<std::uint8_t, 2>> take, std::string const& device,
                  int threads, std::optional<DiskNumbers> disk, bool mean,
                  stem4d::References const& its_references, nb::object progress) {
    std::vector<stem4d::Pattern> kinds;
    for (std::string const& p : patterns) kinds.push_back(pattern_named(p));
    stem4d::Options options = options_of(device, threads, disk, mean);
    options.references = its_references;
    stem4d::Wanted const wanted{.detectors = detectors,
                                .center_of_mass = center_of_mass,
                                .within = within,
                                .patterns = kinds,
                                .take = taken(scan, take)};
    stem4d::Products found = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::products(scan, wanted, options);
    });
    return dict_of(std::move(found), !detectors.empty(), center_of_mass);
}

nb::object rasterize(Scan const& scan, Detector const& detector, DiskNumbers disk) {
    return to_numpy(unwrap(stem4d::rasterize(scan, detector, *disk_of(disk))));
}

DiskNumbers find_disk(Scan const& scan, std::string const& device, int threads) {
    Device const on = device_named(device, threads);
    return *numbers_of(work(nb::none(), [&](Telling&) { return stem4d::find_disk(scan, on); }));
}

DiskNumbers find_disk_in_pattern(Dense<double, 2> const& pattern,
                                 std::optional<Dense<std::uint8_t, 2>> const& bad) {
    Array<double> const a = to_array<double, 2>(pattern);
    std::span<std::uint8_t const> marked;
    if (bad) {
        if (bad->shape(0) != pattern.shape(0) || bad->shape(1) != pattern.shape(1))
            raise({Code::invalid_argument,
                   fmt::format("bad has the shape ({}, {}) and the pattern ({}, {}); give one of "
                               "the same shape",
                               bad->shape(0), bad->shape(1), pattern.shape(0), pattern.shape(1))});
        marked = {bad->data(), bad->size()};
    }
    return *numbers_of(work(nb::none(), [&](Telling&) { return stem4d::find_disk(a, marked); }));
}

nb::object frame(Scan const& scan, index row, index col) {
    return to_numpy(work(nb::none(), [&](Telling&) { return stem4d::frame(scan, row, col); }));
}

std::array<double, 3> pixel_grid(Scan const& scan) {
    stem4d::PixelGrid const g = stem4d::pixel_grid(scan);
    return {g.origin.row, g.origin.col, g.bin};
}

stem4d::RadialCache radial_cache(Scan const& scan, Pair center, std::string const& device,
                                 int threads, nb::object progress) {
    stem4d::Options options = options_of(device, threads, {}, false);
    return work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::RadialCache::build(scan, point_of(center), options);
    });
}

}  // namespace

std::span<std::uint8_t const> taken(Scan const& scan,
                                    std::optional<Dense<std::uint8_t, 2>> const& take) {
    if (!take) return {};
    auto const shape = scan.scan_shape();
    auto const rows = static_cast<index>(take->shape(0)), cols = static_cast<index>(take->shape(1));
    if (rows != shape[0] || cols != shape[1])
        raise({Code::invalid_argument,
               "take has the shape " + std::to_string(rows) + "x" + std::to_string(cols) +
                   "; the scan has " + std::to_string(shape[0]) + "x" + std::to_string(shape[1])});
    return {take->data(), take->size()};
}

void add_stem4d(nb::module_& m) {
    nb::class_<Detector>(m, "Detector")
        .def_prop_ro("fields", fields_of)
        .def_prop_ro("needs_disk", stem4d::needs_disk);
    m.def("make_detector", make_detector, "name"_a, "shape"_a, "unit"_a, "center"_a.none(),
          "inner"_a, "outer"_a, "from_"_a, "to"_a, "corners"_a, "pixels"_a.none());
    m.def(
        "parse_detector",
        [](std::string const& text) { return unwrap(stem4d::parse_detector(text)); }, "text"_a);
    nb::class_<stem4d::References>(m, "References");
    m.def("references", references, "dark"_a.none(), "gain"_a.none(), "dark_file"_a, "gain_file"_a);
    m.def("products", products, "scan"_a, "detectors"_a, "center_of_mass"_a, "within"_a.none(),
          "patterns"_a, "take"_a.none(), "device"_a, "threads"_a, "disk"_a.none(), "mean"_a,
          "references"_a, "progress"_a.none());
    m.def("rasterize", rasterize, "scan"_a, "detector"_a, "disk"_a);
    m.def("find_disk", find_disk, "scan"_a, "device"_a, "threads"_a);
    m.def("find_disk_in_pattern", find_disk_in_pattern, "pattern"_a.noconvert(), "bad"_a.none());
    m.def("frame", frame, "scan"_a, "row"_a, "col"_a);
    m.def("pixel_grid", pixel_grid, "scan"_a);
    m.def("pixel_unit", stem4d::pixel_unit, "scan"_a);
    m.def("sum_unit", stem4d::sum_unit, "scan"_a);
    nb::class_<stem4d::RadialCache>(m, "RadialCache")
        .def("annulus", [](stem4d::RadialCache const& c, int inner,
                           int outer) { return to_numpy(c.annulus(inner, outer)); })
        .def_prop_ro("largest_radius", &stem4d::RadialCache::largest_radius);
    m.def("radial_cache", radial_cache, "scan"_a, "center"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    add_phase(m);
    add_drift(m);
    add_stem4d_convert(m);
    add_stem4d_tables(m);
    add_fold(m);
    add_bragg_vectors(m);
    add_crystal(m);
    add_calibration(m);
    add_orientation(m);
    add_orientation_maps(m);
    add_analyze(m);
    add_ptychography(m);
    add_ptychography_judge(m);
}

}  // namespace sluice::python

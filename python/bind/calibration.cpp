// Calibration of crystals: origins, distortion, pixel size, and crystals that are known.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/stem4d.h"
#include "bind/work.h"
#include "domain/crystal/calibrate/words.h"
#include "sluice/calibration_text.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::BraggVectors;
using stem4d::Calibrated;
using stem4d::CalibratedVectors;
using stem4d::Calibration;
using stem4d::OriginFit;
using stem4d::Origins;
using stem4d::UnitCell;
using Pair = std::array<double, 2>;

stem4d::OriginOptions origin_options(std::string const& method, std::optional<Pair> const& guess,
                                     double radius) {
    stem4d::OriginOptions o{.method = choice<stem4d::OriginMethod>("method", method),
                            .radius = radius};
    if (guess) o.guess = stem4d::Point{(*guess)[0], (*guess)[1]};
    return o;
}

Origins measure_on_disks(BraggVectors const& vectors, std::string const& method,
                         std::optional<Pair> const& guess, double radius) {
    auto const options = origin_options(method, guess, radius);
    return work(nb::none(), [&](Telling&) { return stem4d::measure_origins(vectors, options); });
}

Origins measure_on_scan(Scan const& scan, std::string const& method,
                        std::optional<Pair> const& guess, double radius,
                        std::optional<std::array<double, 3>> const& disk, std::string const& device,
                        int threads, nb::object progress) {
    auto const options = origin_options(method, guess, radius);
    stem4d::Options run{.device = device_named(device, threads)};
    if (disk) run.disk = stem4d::Disk{{(*disk)[0], (*disk)[1]}, (*disk)[2]};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::measure_origins(scan, options, run);
    });
}

nb::dict origins_dict(Origins const& o) {
    index const rows = o.scan_shape[0], cols = o.scan_shape[1];
    nb::dict out;
    out["values"] = to_numpy(o.values.values, {rows, cols, 2});
    out["covariance"] = to_numpy(o.covariance.values, {rows, cols, 3});
    std::vector<std::uint8_t> reasons;
    for (auto const r : o.reason) reasons.push_back(static_cast<std::uint8_t>(r));
    out["reason"] = to_numpy(std::move(reasons), {rows, cols});
    out["method"] = name_of_choice(o.method);
    out["radius"] = o.radius;
    out["notes"] = o.notes;
    return out;
}

OriginFit fit(Origins const& origins, std::string const& surface, int order, double cut) {
    stem4d::OriginFitOptions const options{
        .surface = choice<stem4d::OriginSurface>("surface", surface), .order = order, .cut = cut};
    return work(nb::none(), [&](Telling&) { return stem4d::fit_origins(origins, options); });
}

nb::dict origin_fit_dict(OriginFit const& f) {
    index const rows = f.scan_shape[0], cols = f.scan_shape[1];
    std::vector<double> values, errors;
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            stem4d::Point const at = f.at(r, c), error = f.error_at(r, c);
            values.insert(values.end(), {at.row, at.col});
            errors.insert(errors.end(), {error.row, error.col});
        }
    nb::dict out;
    out["surface"] = name_of_choice(f.surface);
    out["values"] = to_numpy(std::move(values), {rows, cols, 2});
    out["errors"] = to_numpy(std::move(errors), {rows, cols, 2});
    out["sigma"] = Pair{f.sigma_row, f.sigma_col};
    out["used"] = f.used;
    out["left_out"] = f.left_out;
    out["notes"] = f.notes;
    return out;
}

nb::dict cell_dict(UnitCell const& c) {
    nb::dict out;
    out["name"] = c.name;
    out["axes"] = std::array{c.a, c.b, c.c};
    out["angles"] = std::array{c.alpha, c.beta, c.gamma};
    out["atoms"] = std::ssize(c.atoms);
    out["notes"] = c.notes;
    return out;
}

// Cells and calibrations travel to other processes as tuples and as texts.
using OperationState = std::pair<std::array<std::array<int, 3>, 3>, std::array<double, 3>>;
using AtomState = std::tuple<int, std::array<double, 3>, double, double>;
using CellState = std::tuple<std::array<double, 6>, std::vector<OperationState>,
                             std::vector<AtomState>, std::string, std::vector<std::string>>;

CellState cell_state(UnitCell const& c) {
    std::vector<OperationState> operations;
    for (auto const& o : c.operations) operations.emplace_back(o.turn, o.shift);
    std::vector<AtomState> atoms;
    for (auto const& a : c.atoms) atoms.emplace_back(a.number, a.place, a.occupancy, a.b_iso);
    return {{c.a, c.b, c.c, c.alpha, c.beta, c.gamma}, operations, atoms, c.name, c.notes};
}
void set_cell(UnitCell& cell, CellState const& state) {
    auto const& [sides, operations, atoms, name, notes] = state;
    new (&cell)
        UnitCell{sides[0], sides[1], sides[2], sides[3], sides[4], sides[5], {}, {}, name, notes};
    for (auto const& [turn, shift] : operations) cell.operations.push_back({turn, shift});
    for (auto const& [number, place, occupancy, b_iso] : atoms)
        cell.atoms.push_back({number, place, occupancy, b_iso});
}
void set_calibration(Calibration& c, std::string const& text) {
    new (&c) Calibration(unwrap(stem4d::parse_calibration(text, "a calibration of a process")));
}

nb::dict reflections_dict(UnitCell const& cell, double most_frequency) {
    auto const all =
        work(nb::none(), [&](Telling&) { return stem4d::reflections(cell, most_frequency); });
    std::vector<std::int32_t> hkl;
    std::vector<double> frequency, strength;
    for (auto const& r : all) {
        hkl.insert(hkl.end(), r.hkl.begin(), r.hkl.end());
        frequency.push_back(r.frequency), strength.push_back(r.strength);
    }
    nb::dict out;
    out["hkl"] = to_numpy(std::move(hkl), {std::ssize(all), 3});
    out["frequency"] = to_numpy(std::move(frequency));
    out["strength"] = to_numpy(std::move(strength));
    return out;
}

nb::object dict_of(std::optional<stem4d::Distortion> const& d) {
    if (!d) return nb::none();
    nb::dict out;
    auto const [rr, rc, cc] = d->correction();
    out["correction"] = to_numpy(std::vector<double>{rr, rc, rc, cc}, {2, 2});
    out["ratio"] = d->ratio();
    out["ratio_error"] = d->ratio_error();
    out["angle_degrees"] = d->angle_degrees();
    out["angle_error_degrees"] = d->angle_error_degrees();
    return out;
}

nb::dict calibration_dict(Calibration const& c) {
    nb::dict out;
    out["scan_shape"] = c.scan_shape;
    out["detector_shape"] = c.detector_shape;
    out["center"] = Pair{c.center().row, c.center().col};
    out["distortion"] = dict_of(c.distortion);
    out["pixel_size"] = c.pixel_size;
    out["pixel_size_error"] = c.pixel_size_error;
    auto const m = c.distortion.value_or(stem4d::Distortion{}).correction();
    out["pixel_sizes"] = Pair{c.pixel_size * m[0], c.pixel_size * m[2]};
    out["rotation"] =
        c.rotation ? nb::cast(std::pair(c.rotation->degrees, c.rotation->transpose)) : nb::none();
    out["crystal"] = c.crystal;
    out["notes"] = c.notes;
    return out;
}

nb::dict calibrated_dict(Calibrated const& made) {
    nb::dict out;
    nb::list rings, others;
    if (made.size) {
        for (auto const& r : made.size->rings)
            rings.append(nb::make_tuple(r.name, r.radius, r.frequency, r.disks, r.off));
        for (auto const& a : made.size->alternatives)
            others.append(nb::make_tuple(a.name, a.pixel_size));
        out["zone"] = made.size->zone ? nb::cast(*made.size->zone) : nb::none();
        out["a"] = made.size->a ? nb::cast(*made.size->a) : nb::none();
        out["b"] = made.size->b ? nb::cast(*made.size->b) : nb::none();
    } else {
        out["zone"] = out["a"] = out["b"] = nb::none();
    }
    out["rings"] = rings;
    out["alternatives"] = others;
    return out;
}

Calibrated calibrate(BraggVectors const& vectors, UnitCell const* cell,
                     std::vector<double> const& spacings,
                     std::optional<stem4d::Indices> const& zone, std::vector<Pair> const& rings,
                     Origins const* origins, std::string const& pattern,
                     std::string const& distortion, double stated, double tolerance, int most_zone,
                     std::string const& surface, int order, double cut,
                     std::optional<std::pair<double, bool>> const& rotation,
                     std::string const& device, int threads, nb::object progress) {
    stem4d::CalibrateOptions o{
        .surface = {.surface = choice<stem4d::OriginSurface>("surface", surface),
                    .order = order,
                    .cut = cut},
        .size = {.distortion = choice<stem4d::DistortionModel>("distortion", distortion),
                 .stated = stated,
                 .tolerance = tolerance,
                 .zone = zone,
                 .most_zone = most_zone},
        .pattern = choice<stem4d::CrystalPattern>("pattern", pattern),
        .spacings = spacings};
    if (cell) o.cell = *cell;
    if (origins) o.measured = *origins;
    for (Pair const& r : rings) o.rings.push_back({r[0], r[1]});
    stem4d::Options run{.device = device_named(device, threads)};
    Calibrated made = work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::calibrate(vectors, o, run);
    });
    if (rotation)
        made.calibration.rotation =
            stem4d::Rotation{.degrees = rotation->first, .transpose = rotation->second};
    made.calibration.provenance = provenance_of("", {});
    return made;
}

std::vector<std::string> origin_reasons() {
    std::vector<std::string> names;
    for (int r = 0; r <= static_cast<int>(stem4d::OriginReason::off_detector); ++r)
        names.emplace_back(name_of(static_cast<stem4d::OriginReason>(r)));
    return names;
}

void add_files(nb::module_& m) {
    m.def(
        "save_calibration",
        [](std::string const& path, Calibration const& c) {
            work(nb::none(), [&](Telling&) { return stem4d::save_calibration(path, c); });
        },
        "path"_a, "calibration"_a);
    m.def(
        "load_calibration",
        [](std::string const& path) {
            return work(nb::none(), [&](Telling&) { return stem4d::load_calibration(path); });
        },
        "path"_a);
    m.def(
        "load_cif",
        [](std::string const& path) {
            return work(nb::none(), [&](Telling&) { return stem4d::load_cif(path); });
        },
        "path"_a);
}

}  // namespace

void add_calibration(nb::module_& m) {
    nb::class_<Origins>(m, "Origins").def_prop_ro("fields", origins_dict);
    nb::class_<OriginFit>(m, "OriginFit").def_prop_ro("fields", origin_fit_dict);
    nb::class_<UnitCell>(m, "UnitCell")
        .def("__getstate__", cell_state)
        .def("__setstate__", set_cell)
        .def_prop_ro("fields", cell_dict)
        .def("spacing",
             [](UnitCell const& c, stem4d::Indices const& hkl) { return stem4d::spacing(c, hkl); })
        .def("reflections", reflections_dict);
    nb::class_<Calibration>(m, "Calibration")
        .def("__getstate__", stem4d::calibration_text)
        .def("__setstate__", set_calibration)
        .def_prop_ro("fields", calibration_dict);
    nb::class_<Calibrated>(m, "Calibrated")
        .def_prop_ro("calibration", [](Calibrated const& c) { return c.calibration; })
        .def_prop_ro("origins", [](Calibrated const& c) { return c.origins; })
        .def_prop_ro("origin_fit", [](Calibrated const& c) { return *c.calibration.origins; })
        .def_prop_ro("fields", calibrated_dict);
    nb::class_<CalibratedVectors>(m, "CalibratedVectors")
        .def_prop_ro("vectors", [](CalibratedVectors const& c) { return c.vectors; })
        .def("remove", [](CalibratedVectors const& c) { return stem4d::remove_calibration(c); });
    m.def("origin_reasons", origin_reasons);
    m.def("measure_origins_of_disks", measure_on_disks, "vectors"_a, "method"_a, "guess"_a.none(),
          "radius"_a);
    m.def("measure_origins_of_scan", measure_on_scan, "scan"_a, "method"_a, "guess"_a.none(),
          "radius"_a, "disk"_a.none(), "device"_a, "threads"_a, "progress"_a.none());
    m.def("fit_origins", fit, "origins"_a, "surface"_a, "order"_a, "cut"_a);
    m.def("calibrate", calibrate, "vectors"_a, "cell"_a.none(), "spacings"_a, "zone"_a.none(),
          "rings"_a, "origins"_a.none(), "pattern"_a, "distortion"_a, "stated"_a, "tolerance"_a,
          "most_zone"_a, "surface"_a, "order"_a, "cut"_a, "rotation"_a.none(), "device"_a,
          "threads"_a, "progress"_a.none());
    m.def(
        "apply_calibration",
        [](BraggVectors const& vectors, Calibration const& c) {
            return work(nb::none(),
                        [&](Telling&) { return stem4d::apply_calibration(vectors, c); });
        },
        "vectors"_a, "calibration"_a);
    m.def(
        "theory_of",
        [](Calibration const& c, std::array<double, 6> const& n) {
            stem4d::LatticeBasis const l =
                unwrap(stem4d::theory_of(c, {{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}}));
            return std::array{l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col};
        },
        "calibration"_a, "like"_a);
    m.def(
        "radial_histogram",
        [](BraggVectors const& vectors, Calibration const& c, double bin) {
            return to_numpy(work(
                nb::none(), [&](Telling&) { return stem4d::radial_histogram(vectors, c, bin); }));
        },
        "vectors"_a, "calibration"_a, "bin"_a);
    add_files(m);
}

}  // namespace sluice::python

// Crystals: templates, disks, lattices and strain.
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
#include "domain/crystal/strain/words.h"
#include "domain/crystal/words.h"
#include "sluice/disk_parts.h"
#include "sluice/grains.h"
#include "sluice/strain.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::BraggVectors;
using stem4d::DiskSetup;
using stem4d::FittedTemplate;
using stem4d::LatticeBasis;
using stem4d::LatticeFit;
/// Row and column of the origin, of a and of b.
using BasisNumbers = std::array<double, 6>;

LatticeBasis basis_of(BasisNumbers const& n) {
    return {{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}};
}
BasisNumbers numbers_of_basis(LatticeBasis const& l) {
    return {l.origin.row, l.origin.col, l.a.row, l.a.col, l.b.row, l.b.col};
}

std::optional<Array<std::uint8_t>> copied(std::optional<Dense<std::uint8_t, 2>> const& from) {
    if (!from) return {};
    return to_array<std::uint8_t, 2>(*from);
}

// `bad` has the pattern's shape: checked here, since the library sees a span.
std::span<std::uint8_t const> marks_of(Array<double> const& pattern,
                                       std::optional<Array<std::uint8_t>> const& bad) {
    if (!bad) return {};
    if (bad->shape != pattern.shape)
        raise({Code::invalid_argument,
               "bad and the pattern have different shapes; give bad the pattern's shape"});
    return bad->values;
}

nb::dict template_dict(FittedTemplate const& t) {
    nb::dict out;
    stem4d::ProbeTemplate const& p = t.probe;
    out["radius"] = p.radius;
    out["edge_width"] = p.edge_width;
    out["harmonics"] = p.harmonics;
    out["profile"] = p.profile;
    out["profile_step"] = p.profile_step;
    out["source"] = p.source;
    out["center"] = std::pair(t.disk.center.row, t.disk.center.col);
    out["radius_error"] = t.radius_error;
    out["edge_width_error"] = t.edge_width_error;
    out["residual"] = t.residual;
    out["notes"] = t.notes;
    return out;
}

// A template that was not fitted here.
FittedTemplate only_shape(stem4d::ProbeTemplate probe) {
    FittedTemplate t;
    t.probe = std::move(probe);
    return t;
}

FittedTemplate fit_pattern(Dense<double, 2> const& image,
                           std::optional<Dense<std::uint8_t, 2>> const& bad, int harmonics,
                           bool profile) {
    Array<double> const pattern = to_array<double, 2>(image);
    auto const marked = copied(bad);
    auto const span = marks_of(pattern, marked);
    return work(nb::none(), [&](Telling&) {
        return stem4d::fit_template(pattern, span, {.harmonics = harmonics, .profile = profile});
    });
}

FittedTemplate fit_scan(Scan const& scan, int harmonics, bool profile, std::string const& device,
                        int threads, nb::object progress) {
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::fit_template(scan, {.harmonics = harmonics, .profile = profile}, run);
    });
}

DiskSetup plan(Scan const& scan, FittedTemplate const& probe, std::string const& mode,
               double least_snr, double least_score, double least_distance, double fit_radius,
               index most, int bin, double gain, double read_noise,
               std::optional<Dense<double, 2>> const& background, std::string const& device,
               int threads, nb::object progress) {
    stem4d::DiskOptions options{.mode = choice<stem4d::DiskMode>("mode", mode),
                                .least_snr = least_snr,
                                .least_score = least_score,
                                .least_distance = least_distance,
                                .fit_radius = fit_radius,
                                .most_disks = most,
                                .bin = bin,
                                .gain = gain,
                                .read_noise = read_noise};
    if (background) options.background = to_array<double, 2>(*background);
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::plan_disks(scan, probe.probe, options, run);
    });
}

BraggVectors find_in_scan(Scan const& scan, DiskSetup const& setup, std::string const& device,
                          int threads, nb::object progress) {
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::find_disks(scan, setup, run);
    });
}

nb::dict find_to(std::string const& path, Scan const& scan, DiskSetup const& setup,
                 std::string const& device, int threads, nb::object progress) {
    stem4d::Options run{.device = device_named(device, threads)};
    stem4d::WrittenVectors const made = work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::find_disks_to(path, scan, setup, run);
    });
    nb::dict out;
    out["scan_shape"] = nb::make_tuple(made.scan_shape[0], made.scan_shape[1]);
    out["detector_shape"] = nb::make_tuple(made.detector_shape[0], made.detector_shape[1]);
    out["disks"] = made.disks;
    out["reasons"] = made.reasons;
    return out;
}

BraggVectors find_in_pattern(Dense<double, 2> const& image,
                             std::optional<Dense<std::uint8_t, 2>> const& bad,
                             DiskSetup const& setup, std::string const& device, int threads) {
    Array<double> const pattern = to_array<double, 2>(image);
    auto const marked = copied(bad);
    auto const span = marks_of(pattern, marked);
    Device const on = device_named(device, threads);
    return work(nb::none(), [&](Telling&) { return stem4d::find_disks(pattern, span, setup, on); });
}

DiskSetup know(Scan const& scan, DiskSetup const& setup, std::optional<BasisNumbers> const& basis,
               std::string const& device, int threads, nb::object progress) {
    stem4d::Options run{.device = device_named(device, threads)};
    std::optional<LatticeBasis> given;
    if (basis) given = basis_of(*basis);
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::know_lattice(scan, setup, given, run);
    });
}

nb::tuple refine(Scan const& scan, DiskSetup const& setup, double tolerance, double cut,
                 index least_disks, bool model_variance, std::string const& device, int threads,
                 nb::object progress) {
    stem4d::LatticeOptions const options{.tolerance = tolerance,
                                         .cut = cut,
                                         .least_disks = least_disks,
                                         .model_variance = model_variance};
    stem4d::Options run{.device = device_named(device, threads)};
    stem4d::KnownDisks known = work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::refine_lattice(scan, setup, options, run);
    });
    return nb::make_tuple(std::move(known.vectors), std::move(known.fit));
}

nb::dict setup_dict(DiskSetup const& s) {
    nb::dict out;
    out["mode"] = std::string(config::word_of(s.options.mode));
    out["lattice"] = nb::none();
    if (s.lattice) out["lattice"] = nb::cast(numbers_of_basis(s.lattice->basis));
    out["least_snr"] = s.options.least_snr;
    out["least_score"] = s.options.least_score;
    out["least_distance"] = s.options.least_distance;
    out["fit_radius"] = s.options.fit_radius;
    out["most_disks"] = s.options.most_disks;
    out["bin"] = s.options.bin;
    out["gain"] = s.options.gain;
    out["read_noise"] = s.options.read_noise;
    out["background"] = s.background.size() > 0 ? to_numpy(s.background) : nb::none();
    out["why"] = s.why;
    return out;
}

nb::tuple find_basis(BraggVectors const& vectors) {
    std::vector<std::string> notes;
    LatticeBasis const found =
        work(nb::none(), [&](Telling&) { return stem4d::find_basis(vectors, &notes); });
    return nb::make_tuple(numbers_of_basis(found), notes);
}

LatticeFit fit(BraggVectors const& vectors, BasisNumbers const& basis, double tolerance, double cut,
               index least_disks, bool model_variance, std::string const& device, int threads,
               nb::object progress) {
    stem4d::LatticeOptions const options{.tolerance = tolerance,
                                         .cut = cut,
                                         .least_disks = least_disks,
                                         .model_variance = model_variance};
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::fit_lattice(vectors, basis_of(basis), options, run);
    });
}

nb::dict fit_dict(LatticeFit const& f) {
    index const rows = f.scan_shape[0], cols = f.scan_shape[1];
    nb::dict out;
    out["values"] = to_numpy(f.values.values, {rows, cols, 6});
    out["covariance"] = to_numpy(f.covariance.values, {rows, cols, 6, 6});
    out["chi2"] = to_numpy(f.chi2, {rows, cols});
    out["used"] = to_numpy(f.used, {rows, cols});
    out["left_out"] = to_numpy(f.left_out, {rows, cols});
    std::vector<std::uint8_t> reasons;
    for (auto const r : f.reason) reasons.push_back(static_cast<std::uint8_t>(r));
    out["reason"] = to_numpy(std::move(reasons), {rows, cols});
    out["sigma_sys"] = f.sigma_sys;
    out["notes"] = f.notes;
    return out;
}

nb::dict strain_dict(stem4d::StrainMaps const& made, index rows, index cols) {
    nb::dict out, errors;
    for (ScanMap const* map : made.maps()) {
        out[map->name.c_str()] = to_numpy(map->values, {rows, cols});
        errors[map->name.c_str()] = to_numpy(map->error, {rows, cols});
    }
    out["errors"] = errors;
    out["covariance"] = to_numpy(made.covariance.values, {rows, cols, 4, 4});
    out["reference"] = numbers_of_basis(made.reference);
    out["notes"] = made.notes;
    return out;
}

stem4d::GrainFit grains(BraggVectors const& vectors, std::optional<BasisNumbers> const& first,
                        index most_bases, double least_turn, index least_patterns, double tolerance,
                        double cut, index least_disks, bool model_variance,
                        std::string const& device, int threads) {
    stem4d::GrainOptions const options{.most_bases = most_bases,
                                       .least_turn = least_turn,
                                       .least_patterns = least_patterns,
                                       .lattice = {.tolerance = tolerance,
                                                   .cut = cut,
                                                   .least_disks = least_disks,
                                                   .model_variance = model_variance}};
    std::optional<LatticeBasis> basis;
    if (first) basis = basis_of(*first);
    stem4d::Options const run{.device = device_named(device, threads)};
    return work(nb::none(),
                [&](Telling&) { return stem4d::fit_grains(vectors, basis, options, run); });
}

nb::dict grains_dict(stem4d::GrainFit const& g) {
    index const rows = g.fit.scan_shape[0], cols = g.fit.scan_shape[1];
    nb::list list;
    for (stem4d::Grain const& one : g.grains)
        list.append(nb::make_tuple(numbers_of_basis(one.basis), one.patterns, one.disorientation));
    nb::dict out;
    out["grains"] = list;
    out["grain"] = to_numpy(g.grain, {rows, cols});
    out["notes"] = g.notes;
    return out;
}

nb::dict grain_strain(stem4d::GrainFit const& fit, double axis_degrees,
                      double scan_rotation_degrees, bool transpose, std::string const& convention) {
    stem4d::StrainOptions const options{
        .axis_degrees = axis_degrees,
        .scan_rotation_degrees = scan_rotation_degrees,
        .transpose = transpose,
        .convention = choice<stem4d::StrainConvention>("convention", convention)};
    stem4d::GrainMaps const made =
        work(nb::none(), [&](Telling&) { return stem4d::grain_strain(fit, options); });
    index const rows = fit.fit.scan_shape[0], cols = fit.fit.scan_shape[1];
    nb::dict out;
    out["strain"] = strain_dict(made.strain, rows, cols);
    out["grain"] = to_numpy(made.grain.values, {rows, cols});
    out["disorientation"] = to_numpy(made.disorientation.values, {rows, cols});
    return out;
}

nb::dict strain(LatticeFit const& fit, std::optional<BasisNumbers> const& reference,
                std::optional<Dense<std::uint8_t, 2>> const& region, double axis_degrees,
                double scan_rotation_degrees, bool transpose, std::string const& convention) {
    stem4d::StrainOptions options{
        .axis_degrees = axis_degrees,
        .scan_rotation_degrees = scan_rotation_degrees,
        .transpose = transpose,
        .convention = choice<stem4d::StrainConvention>("convention", convention)};
    if (reference) options.reference = basis_of(*reference);
    if (region) {
        if (static_cast<index>(region->shape(0)) != fit.scan_shape[0] ||
            static_cast<index>(region->shape(1)) != fit.scan_shape[1])
            raise({Code::invalid_argument,
                   "the region and the scan have different shapes; give one mark for each point"});
        options.region.assign(region->data(), region->data() + region->size());
    }
    stem4d::StrainMaps const made =
        work(nb::none(), [&](Telling&) { return stem4d::strain(fit, options); });
    return strain_dict(made, fit.scan_shape[0], fit.scan_shape[1]);
}

std::vector<std::string> lattice_reasons() {
    std::vector<std::string> names;
    for (int r = 0; r <= static_cast<int>(stem4d::LatticeReason::two_lattices); ++r)
        names.emplace_back(name_of(static_cast<stem4d::LatticeReason>(r)));
    return names;
}

// Templates and setups travel to other processes as tuples.
using ProbeState = std::tuple<double, double, std::vector<std::array<double, 2>>,
                              std::vector<double>, double, std::string>;

ProbeState state_of(stem4d::ProbeTemplate const& p) {
    return {p.radius, p.edge_width, p.harmonics, p.profile, p.profile_step, p.source};
}
stem4d::ProbeTemplate probe_of(ProbeState const& s) {
    auto const& [radius, edge_width, harmonics, profile, profile_step, source] = s;
    return {radius, edge_width, harmonics, profile, profile_step, source};
}

using TemplateState =
    std::tuple<ProbeState, std::array<double, 3>, double, double, double, std::vector<std::string>>;

TemplateState template_state(FittedTemplate const& t) {
    return {state_of(t.probe), {t.disk.center.row, t.disk.center.col, t.disk.radius},
            t.radius_error,    t.edge_width_error,
            t.residual,        t.notes};
}
void set_template(FittedTemplate& t, TemplateState const& s) {
    auto const& [probe, disk, radius_error, edge_error, residual, notes] = s;
    new (&t) FittedTemplate{probe_of(probe), {{disk[0], disk[1]}, disk[2], {}},
                            radius_error,    edge_error,
                            residual,        notes};
}

using ArrayState = std::pair<std::vector<index>, std::vector<double>>;
using LatticeState = std::tuple<BasisNumbers, std::array<double, 4>,
                                std::vector<std::array<int, 2>>, double, double, index>;
using SetupState =
    std::tuple<ProbeState, std::string, std::array<double, 6>, index, int, ArrayState, ArrayState,
               std::optional<LatticeState>, std::vector<std::string>>;

SetupState setup_state(DiskSetup const& s) {
    stem4d::DiskOptions const& o = s.options;
    std::optional<LatticeState> lattice;
    if (auto const& l = s.lattice)
        lattice = LatticeState{numbers_of_basis(l->basis),
                               {l->by_row.row, l->by_row.col, l->by_col.row, l->by_col.col},
                               l->points,
                               l->most_misfit,
                               l->least_part,
                               l->least_seen};
    return {state_of(s.probe),
            std::string(config::word_of(o.mode)),
            {o.least_snr, o.least_score, o.least_distance, o.fit_radius, o.gain, o.read_noise},
            o.most_disks,
            o.bin,
            {o.background.shape, o.background.values},
            {s.background.shape, s.background.values},
            lattice,
            s.why};
}
void set_setup(DiskSetup& setup, SetupState const& s) {
    auto const& [probe, mode, numbers, most, bin, given, background, lattice, why] = s;
    new (&setup) DiskSetup{probe_of(probe),
                           {choice<stem4d::DiskMode>("mode", mode),
                            numbers[0],
                            numbers[1],
                            numbers[2],
                            numbers[3],
                            most,
                            bin,
                            numbers[4],
                            numbers[5],
                            {given.first, given.second}},
                           {background.first, background.second},
                           {},
                           why};
    if (!lattice) return;
    auto const& [basis, by, points, most_misfit, least_part, least_seen] = *lattice;
    setup.lattice = stem4d::KnownLattice{basis_of(basis), {by[0], by[1]}, {by[2], by[3]}, points,
                                         most_misfit,     least_part,     least_seen};
}

// Disks of groups of a scan, for several processes.
class PartsOfDisks {
  public:
    PartsOfDisks(Scan const& scan, DiskSetup const& setup, int threads)
        : parts_(unwrap(stem4d::DiskParts::begin(
              scan, setup,
              {.device = device_named("cpu", threads),
               .progress = [this](std::uint64_t done, std::uint64_t total) {
                   return !telling_ || telling_(done, total);
               }}))) {}
    PartsOfDisks(PartsOfDisks const&) = delete;

    index groups() const { return parts_.groups(); }
    nb::bytes part(index first, index count, nb::object progress) {
        std::vector<std::byte> const made = work(progress, [&](Telling& telling) {
            telling_ = telling.progress();
            auto found = parts_.part(first, count);
            telling_ = {};
            return found;
        });
        return nb::bytes(reinterpret_cast<char const*>(made.data()), made.size());
    }
    void add(nb::bytes part) {
        unwrap(parts_.add(std::as_bytes(std::span(part.c_str(), part.size()))));
    }
    BraggVectors finish() { return unwrap(std::move(parts_).finish()); }
    nb::tuple finish_lattice(double tolerance, double cut, index least_disks, bool model_variance) {
        auto known = unwrap(std::move(parts_).finish(
            stem4d::LatticeOptions{tolerance, cut, least_disks, model_variance}));
        return nb::make_tuple(std::move(known.vectors), std::move(known.fit));
    }

  private:
    Progress telling_ = {};
    stem4d::DiskParts parts_;
};

void add_templates(nb::module_& m) {
    nb::class_<FittedTemplate>(m, "FittedTemplate")
        .def("__getstate__", template_state)
        .def("__setstate__", set_template)
        .def_prop_ro("fields", template_dict)
        .def("value", [](FittedTemplate const& t, double row, double col) {
            return t.probe.value(row, col);
        });
    m.def("fit_template_of_pattern", fit_pattern, "image"_a.noconvert(), "bad"_a.none(),
          "harmonics"_a, "profile"_a);
    m.def("fit_template", fit_scan, "scan"_a, "harmonics"_a, "profile"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    m.def(
        "synthetic_template",
        [](double radius, double edge_width) {
            return only_shape(unwrap(stem4d::synthetic_template(radius, edge_width)));
        },
        "radius"_a, "edge_width"_a);
    m.def(
        "save_template",
        [](std::string const& path, FittedTemplate const& t) {
            work(nb::none(), [&](Telling&) { return stem4d::save_template(path, t.probe); });
        },
        "path"_a, "template_"_a);
    m.def(
        "load_template",
        [](std::string const& path) {
            return only_shape(
                work(nb::none(), [&](Telling&) { return stem4d::load_template(path); }));
        },
        "path"_a);
}

void add_disks(nb::module_& m) {
    nb::class_<DiskSetup>(m, "DiskSetup")
        .def_prop_ro("fields", setup_dict)
        .def("__getstate__", setup_state)
        .def("__setstate__", set_setup);
    nb::class_<PartsOfDisks>(m, "DiskParts")
        .def(nb::init<Scan const&, DiskSetup const&, int>(), nb::keep_alive<1, 2>(), "scan"_a,
             "setup"_a, "threads"_a)
        .def_prop_ro("groups", &PartsOfDisks::groups)
        .def("part", &PartsOfDisks::part, "first"_a, "count"_a, "progress"_a.none())
        .def("add", &PartsOfDisks::add, "part"_a)
        .def("finish", &PartsOfDisks::finish)
        .def("finish_lattice", &PartsOfDisks::finish_lattice, "tolerance"_a, "cut"_a,
             "least_disks"_a, "model_variance"_a);
    m.def("plan_disks", plan, "scan"_a, "template_"_a, "mode"_a, "least_snr"_a, "least_score"_a,
          "least_distance"_a, "fit_radius"_a, "most"_a, "bin"_a, "gain"_a, "read_noise"_a,
          "background"_a.none(), "device"_a, "threads"_a, "progress"_a.none());
    m.def("find_disks", find_in_scan, "scan"_a, "setup"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    m.def("find_disks_to", find_to, "path"_a, "scan"_a, "setup"_a, "device"_a, "threads"_a,
          "progress"_a.none());
    m.def("know_lattice", know, "scan"_a, "setup"_a, "basis"_a.none(), "device"_a, "threads"_a,
          "progress"_a.none());
    m.def("refine_lattice", refine, "scan"_a, "setup"_a, "tolerance"_a, "cut"_a, "least_disks"_a,
          "model_variance"_a, "device"_a, "threads"_a, "progress"_a.none());
    m.def("find_disks_in_pattern", find_in_pattern, "image"_a.noconvert(), "bad"_a.none(),
          "setup"_a, "device"_a, "threads"_a);
}

}  // namespace

void add_crystal(nb::module_& m) {
    add_templates(m);
    add_disks(m);
    nb::class_<LatticeFit>(m, "LatticeFit").def_prop_ro("fields", fit_dict);
    m.def("lattice_reasons", lattice_reasons);
    m.def("find_basis", find_basis, "vectors"_a);
    m.def("fit_lattice", fit, "vectors"_a, "basis"_a, "tolerance"_a, "cut"_a, "least_disks"_a,
          "model_variance"_a, "device"_a, "threads"_a, "progress"_a.none());
    nb::class_<stem4d::GrainFit>(m, "GrainFit")
        .def_prop_ro("fields", grains_dict)
        .def_prop_ro("fit", [](stem4d::GrainFit const& g) { return LatticeFit(g.fit); });
    m.def("fit_grains", grains, "vectors"_a, "first"_a.none(), "most_bases"_a, "least_turn"_a,
          "least_patterns"_a, "tolerance"_a, "cut"_a, "least_disks"_a, "model_variance"_a,
          "device"_a, "threads"_a);
    m.def("grain_strain", grain_strain, "fit"_a, "axis_degrees"_a, "scan_rotation_degrees"_a,
          "transpose"_a, "convention"_a);
    m.def("strain", strain, "fit"_a, "reference"_a.none(), "region"_a.none(), "axis_degrees"_a,
          "scan_rotation_degrees"_a, "transpose"_a, "convention"_a);
    m.def(
        "theoretical_basis",
        [](double a, double b, double angle, double pixel_size, BasisNumbers const& like) {
            return numbers_of_basis(
                unwrap(stem4d::theoretical_basis({a, b, angle, pixel_size}, basis_of(like))));
        },
        "a"_a, "b"_a, "angle_degrees"_a, "pixel_size"_a, "like"_a);
}

}  // namespace sluice::python

// Ptychography: patterns of scans or of arrays, probes, and reconstructions.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/ptychography.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/ptychography.h"
#include "bind/ptychography_watch.h"
#include "bind/work.h"
#include "domain/ptychography/settings/words.h"
#include "sluice/optics.h"
#include "sluice/ptychography_check.h"
#include "sluice/ptychography_file.h"
#include "sluice/ptychography_settings.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::Patterns;
using stem4d::Position;
using stem4d::PtychographyOptions;
using stem4d::PtychographyStage;
using Complex = std::complex<float>;

std::vector<Position> positions_of(Dense<double, 2> const& array) {
    if (array.shape(1) != 2)
        raise({Code::invalid_argument,
               fmt::format("positions have the shape ({}, {}); they are an array [pattern, 2] of "
                           "rows and columns",
                           array.shape(0), array.shape(1))});
    std::vector<Position> positions;
    for (std::size_t j = 0; j < array.shape(0); ++j)
        positions.push_back({array.data()[2 * j], array.data()[2 * j + 1]});
    return positions;
}

nb::object positions_to_numpy(std::vector<Position> const& positions) {
    std::vector<double> flat;
    for (Position const& p : positions) {
        flat.push_back(p.row);
        flat.push_back(p.col);
    }
    return to_numpy(std::move(flat), {std::ssize(positions), 2});
}

template <class T>
void set_counts(Patterns& patterns, Dense<T, 3> const& counts,
                std::optional<Dense<std::uint8_t, 2>> const& bad) {
    if (counts.shape(1) != counts.shape(2))
        raise({Code::invalid_argument,
               fmt::format("patterns of {}x{} pixels; they are squares, [pattern, row, col]",
                           counts.shape(1), counts.shape(2))});
    if (bad && (bad->shape(0) != counts.shape(1) || bad->shape(1) != counts.shape(2)))
        raise({Code::invalid_argument,
               fmt::format("bad has the shape ({}, {}); patterns have ({}, {})", bad->shape(0),
                           bad->shape(1), counts.shape(1), counts.shape(2))});
    patterns.size = static_cast<index>(counts.shape(1));
    expect_room(counts.size() * sizeof(T));
    patterns.counts = std::vector<T>(counts.data(), counts.data() + counts.size());
    if (bad) patterns.bad.assign(bad->data(), bad->data() + bad->size());
}

template <class T>
Patterns make_patterns(Dense<T, 3> const& counts, Dense<double, 2> const& positions,
                       std::optional<Dense<std::uint8_t, 2>> const& bad, double wavelength_nm,
                       double pixel_nm, bool far) {
    Patterns patterns;
    if (far) patterns.propagation = stem4d::Propagation::far;
    set_counts(patterns, counts, bad);
    patterns.positions = positions_of(positions);
    patterns.wavelength_nm = wavelength_nm;
    patterns.pixel_nm = pixel_nm;
    unwrap(stem4d::check_patterns(patterns));
    return patterns;
}

std::vector<std::string> keep_measured(Patterns& patterns) {
    std::vector<std::string> notes;
    unwrap(stem4d::keep_measured(patterns, &notes));
    return notes;
}

// As the setting of the same name.
stem4d::Propagation propagation_of(std::string const& text) {
    PtychographyOptions options;
    unwrap(stem4d::set(options, "propagation", text));
    return options.propagation;
}

nb::tuple patterns_of(Scan const& scan, index size, std::optional<std::array<double, 2>> center,
                      double kilovolts, double wavelength_nm, double detector_step_mrad,
                      std::string const& propagation, double detector_pixel_um, double scan_step_nm,
                      std::optional<double> rotation_degrees, std::optional<bool> transpose,
                      std::optional<Dense<double, 2>> const& positions, nb::object progress) {
    stem4d::PatternsOptions options{.size = size,
                                    .kilovolts = kilovolts,
                                    .wavelength_nm = wavelength_nm,
                                    .detector_step_mrad = detector_step_mrad,
                                    .propagation = propagation_of(propagation),
                                    .detector_pixel_um = detector_pixel_um,
                                    .scan_step_nm = scan_step_nm,
                                    .rotation_degrees = rotation_degrees,
                                    .transpose = transpose};
    if (center) options.center = Position{(*center)[0], (*center)[1]};
    if (positions) options.positions = positions_of(*positions);
    std::vector<std::string> notes;
    Patterns patterns = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::patterns_of(scan, options, &notes);
    });
    return nb::make_tuple(std::move(patterns), std::move(notes));
}

nb::tuple read_patterns(std::string const& path, index size,
                        std::optional<std::array<double, 2>> center, double kilovolts,
                        double wavelength_nm, double detector_step_mrad,
                        std::string const& propagation, double detector_pixel_um, bool transpose,
                        bool flip_rows, bool flip_cols, std::uint64_t memory_limit,
                        nb::object progress) {
    stem4d::PatternFileOptions options{.size = size,
                                       .kilovolts = kilovolts,
                                       .wavelength_nm = wavelength_nm,
                                       .detector_step_mrad = detector_step_mrad,
                                       .propagation = propagation_of(propagation),
                                       .detector_pixel_um = detector_pixel_um,
                                       .transpose = transpose,
                                       .flip_rows = flip_rows,
                                       .flip_cols = flip_cols,
                                       .memory_limit = memory_limit};
    if (center) options.center = Position{(*center)[0], (*center)[1]};
    std::vector<std::string> notes;
    stem4d::PatternFile file = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::read_patterns(path, options, &notes);
    });
    nb::object probe = nb::none();
    index const side = file.patterns.size;
    index const modes = side > 0 ? std::ssize(file.probe) / (side * side) : 0;
    if (modes == 1) probe = to_numpy(std::move(file.probe), {side, side});
    if (modes > 1) probe = to_numpy(std::move(file.probe), {modes, side, side});
    return nb::make_tuple(std::move(file.patterns), probe, std::move(notes));
}

nb::object probe_of(index size, double pixel_nm, double wavelength_nm, double semiangle_mrad,
                    double defocus_nm, double astigmatism_nm, double astigmatism_degrees,
                    double spherical_mm, std::vector<std::string> const& aberrations,
                    std::optional<Dense<double, 2>> const& vacuum,
                    std::optional<std::array<double, 2>> center) {
    optics::ProbeOptics optics{.semiangle_mrad = semiangle_mrad,
                               .defocus_nm = defocus_nm,
                               .astigmatism_nm = astigmatism_nm,
                               .astigmatism_degrees = astigmatism_degrees,
                               .spherical_mm = spherical_mm};
    for (auto const& text : aberrations)
        optics.aberrations.push_back(unwrap(optics::parse_aberration(text)));
    if (vacuum) optics.vacuum = to_array<double, 2>(*vacuum);
    if (center) optics.vacuum_center = *center;
    return to_numpy(unwrap(optics::probe_of(optics, size, pixel_nm, wavelength_nm)), {size, size});
}

nb::object single_side_band(Patterns const& patterns, Dense<std::complex<float>, 2> const& probe,
                            index margin, std::string const& device, int threads) {
    Device const on = device_named(device, threads);
    std::vector<std::complex<float>> const wave(probe.data(), probe.data() + probe.size());
    auto phases = work(
        nb::none(), [&](Telling&) { return stem4d::single_side_band(patterns, wave, margin, on); });
    return to_numpy(std::move(phases));
}

// As set() takes it.
std::string text_of(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
    return nb::cast<std::string>(nb::str(value));
}

template <class T>
T with_settings(T made, nb::dict const& settings) {
    for (auto const& [name, value] : settings)
        unwrap(stem4d::set(made, nb::cast<std::string>(name), text_of(value)));
    return made;
}

nb::dict dict_of(stem4d::PtychographyResult&& r) {
    nb::dict out;
    std::vector<double> rs, intensities, losses, seconds;
    std::vector<std::int64_t> stages;
    for (auto const& round : r.rounds) {
        stages.push_back(round.stage);
        rs.push_back(round.r);
        intensities.push_back(round.r_intensity);
        losses.push_back(round.loss);
        seconds.push_back(round.seconds);
    }
    out["object"] = to_numpy(std::move(r.object));
    out["probe"] = to_numpy(std::move(r.probe));
    out["opr_modes"] = nb::none();
    out["opr_weights"] = nb::none();
    if (!r.opr_modes.values.empty()) out["opr_modes"] = to_numpy(std::move(r.opr_modes));
    if (!r.opr_weights.values.empty()) out["opr_weights"] = to_numpy(std::move(r.opr_weights));
    out["mode_powers"] = to_numpy(std::move(r.mode_powers));
    out["positions"] = positions_to_numpy(r.positions);
    out["started"] = r.started.empty() ? nb::object(nb::none()) : positions_to_numpy(r.started);
    out["shift"] = nb::make_tuple(r.shift.row, r.shift.col);
    out["pixel_nm"] = r.pixel_nm;
    out["propagation"] = name_of_choice(r.propagation);
    out["descan"] = r.descan.empty() ? nb::object(nb::none()) : positions_to_numpy(r.descan);
    out["background"] =
        r.background.values.empty() ? nb::object(nb::none()) : to_numpy(std::move(r.background));
    out["slice_nm"] = r.slice_nm;
    out["tilt_mrad"] = nb::make_tuple(r.tilt_row_mrad, r.tilt_col_mrad);
    out["stage"] = to_numpy(std::move(stages));
    out["r"] = to_numpy(std::move(rs));
    out["r_intensity"] = to_numpy(std::move(intensities));
    out["loss"] = to_numpy(std::move(losses));
    out["seconds"] = to_numpy(std::move(seconds));
    out["floor"] = r.floor;
    out["probe_moved"] = nb::make_tuple(r.probe_moved.row, r.probe_moved.col);
    out["probe_power"] = r.probe_power;
    out["memory"] = r.memory;
    out["notes"] = nb::cast(r.notes);
    return out;
}

stem4d::SettingTexts settings_of(nb::dict const& found) {
    stem4d::SettingTexts settings;
    for (auto const& [name, value] : nb::cast<nb::dict>(found["settings"]))
        settings.emplace_back(nb::cast<std::string>(name), nb::cast<std::string>(value));
    return settings;
}

nb::dict dict_of(stem4d::SettingTexts const& settings) {
    nb::dict out;
    for (auto const& [name, value] : settings) out[name.c_str()] = value;
    return out;
}

void save_result(std::string const& path, nb::dict const& found,
                 std::vector<std::pair<std::string, std::string>> const& provenance) {
    stem4d::SavedPtychography const saved = saved_ptychography(found);
    unwrap(stem4d::check_result(saved.result));
    work(nb::none(), [&](Telling&) {
        return stem4d::save_ptychography(path, saved.result, saved.result.pixel_nm,
                                         saved.wavelength_nm, saved.settings,
                                         Provenance{provenance});
    });
}

nb::tuple load_result(std::string const& path) {
    auto saved = work(nb::none(), [&](Telling&) { return stem4d::load_ptychography(path); });
    nb::dict found = dict_of(std::move(saved.result));
    found["wavelength_nm"] = saved.wavelength_nm;
    found["settings"] = dict_of(saved.settings);
    return nb::make_tuple(found, saved.provenance.fields);
}

PtychographyOptions options_of(nb::list const& stages, nb::dict const& settings,
                               std::optional<Dense<Complex, 3>> const& probe,
                               std::string const& device, int threads) {
    auto options = with_settings(PtychographyOptions{}, settings);
    options.device = device_named(device, threads);
    options.stages.clear();
    for (nb::handle stage : stages)
        options.stages.push_back(with_settings(PtychographyStage{}, nb::cast<nb::dict>(stage)));
    if (probe) options.probe.assign(probe->data(), probe->data() + probe->size());
    return options;
}

// The options hold waves without a shape: numbers of elements that happen to fit are not enough.
void expect_planes(char const* name, Dense<Complex, 3> const& waves, index rows, index cols) {
    if (waves.shape(0) == 0)
        raise({Code::invalid_argument,
               fmt::format("the {} has no plane; give at least one, or leave it out", name)});
    if (static_cast<index>(waves.shape(1)) == rows && static_cast<index>(waves.shape(2)) == cols)
        return;
    raise(
        {Code::invalid_argument,
         fmt::format("the {} has {}x{} pixels and the computed one {}x{} (both need the same grid) "
                     "give one of that shape",
                     name, waves.shape(1), waves.shape(2), rows, cols)});
}

nb::dict ptychography(Patterns const& patterns, nb::list stages, nb::dict settings,
                      std::optional<Dense<Complex, 3>> probe,
                      std::optional<Dense<Complex, 3>> object, nb::object start,
                      std::string checkpoint, std::string resume, std::string const& device,
                      int threads, nb::object progress, nb::object watch) {
    PtychographyOptions options = options_of(stages, settings, probe, device, threads);
    expect_probe(patterns, options, probe);
    if (object) {
        auto const sides = unwrap(stem4d::ptychography_canvas(patterns, options));
        expect_planes("object", *object, sides[0], sides[1]);
        options.object.assign(object->data(), object->data() + object->size());
    }
    std::vector<std::string> notes;
    if (!start.is_none())
        unwrap(stem4d::start_with(saved_ptychography(nb::cast<nb::dict>(start)).result, patterns,
                                  options, &notes));
    options.checkpoint = std::move(checkpoint);
    options.resume = std::move(resume);
    Watcher watcher(watch);
    auto const run = [&](Telling& telling) {
        options.progress = telling.progress();
        watcher.attach(options);
        return stem4d::ptychography(patterns, options);
    };
    try {
        auto result = work(progress, run);
        watcher.rethrow();
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        auto const settings = stem4d::all_settings(options, result.likelihoods);
        nb::dict found = dict_of(std::move(result));
        found["wavelength_nm"] = patterns.wavelength_nm;
        found["settings"] = dict_of(settings);
        return found;
    } catch (...) {
        // What it raised stopped the work, and says more than that it was stopped.
        watcher.rethrow();
        throw;
    }
}

std::uint64_t memory(Patterns const& patterns, nb::list stages, nb::dict settings,
                     std::string const& device) {
    return unwrap(
        stem4d::ptychography_memory(patterns, options_of(stages, settings, {}, device, 1)));
}

// The settings of a TOML file: those of all, and of each stage, as texts.
nb::tuple read_settings(std::string const& path) {
    auto const options = unwrap(stem4d::read_ptychography(path));
    nb::list stages;
    for (auto const& stage : options.stages) stages.append(dict_of(stem4d::settings_of(stage)));
    return nb::make_tuple(dict_of(stem4d::settings_of(options)), stages);
}

nb::object counts_of(nb::handle_t<Patterns> self) {
    Patterns& p = nb::cast<Patterns&>(self);
    return std::visit(
        [&](auto& counts) {
            return shared_array(counts.data(), {p.count(), p.size, p.size}, self);
        },
        p.counts);
}

}  // namespace

PtychographyOptions ptychography_options(nb::list const& stages, nb::dict const& settings,
                                         std::optional<Dense<Complex, 3>> const& probe,
                                         std::string const& device, int threads) {
    return options_of(stages, settings, probe, device, threads);
}

void expect_probe(Patterns const& patterns, PtychographyOptions const& options,
                  std::optional<Dense<Complex, 3>> const& probe) {
    if (!probe) return;
    index const window = unwrap(stem4d::ptychography_grid(patterns, options)).window;
    expect_planes("probe", *probe, window, window);
}

stem4d::SavedPtychography saved_ptychography(nb::dict const& found) {
    auto const column = [&](char const* name) {
        auto const array = nb::cast<Dense<double, 1>>(found[name]);
        return std::vector<double>(array.data(), array.data() + array.size());
    };
    auto const waves = [&](char const* name) {
        return to_array<Complex, 3>(nb::cast<Dense<Complex, 3>>(found[name]));
    };
    auto const places = [&](char const* name) {
        if (found[name].is_none()) return std::vector<Position>{};
        return positions_of(nb::cast<Dense<double, 2>>(found[name]));
    };
    auto const pair = [&](char const* name) {
        auto const two = nb::cast<std::array<double, 2>>(found[name]);
        return Position{two[0], two[1]};
    };
    stem4d::SavedPtychography saved;
    auto& r = saved.result;
    r.object = waves("object");
    r.probe = waves("probe");
    if (!found["opr_modes"].is_none()) r.opr_modes = waves("opr_modes");
    if (!found["opr_weights"].is_none())
        r.opr_weights = to_array<double, 2>(nb::cast<Dense<double, 2>>(found["opr_weights"]));
    if (!found["background"].is_none())
        r.background = to_array<float, 2>(nb::cast<Dense<float, 2>>(found["background"]));
    r.mode_powers = column("mode_powers");
    r.positions = places("positions");
    r.started = places("started");
    r.descan = places("descan");
    r.shift = pair("shift");
    r.probe_moved = pair("probe_moved");
    r.tilt_row_mrad = pair("tilt_mrad").row;
    r.tilt_col_mrad = pair("tilt_mrad").col;
    auto const stage = column("stage"), rs = column("r"), intensity = column("r_intensity");
    auto const loss = column("loss"), seconds = column("seconds");
    for (auto const& [name, of] : {std::pair("r", &rs), std::pair("r_intensity", &intensity),
                                   std::pair("loss", &loss), std::pair("seconds", &seconds)})
        if (of->size() != stage.size())
            raise({Code::invalid_argument,
                   fmt::format("the result has {} numbers of {} and {} of stage; give one for "
                               "each iteration",
                               of->size(), name, stage.size())});
    for (std::size_t i = 0; i < stage.size(); ++i) {
        if (!(stage[i] >= 0 && stage[i] < 1e6))
            raise({Code::invalid_argument,
                   fmt::format("the result has the stage {:g} at iteration {}; stages are counted "
                               "from 0",
                               stage[i], i)});
        r.rounds.push_back(
            {static_cast<index>(stage[i]), rs[i], intensity[i], loss[i], seconds[i]});
    }
    r.pixel_nm = nb::cast<double>(found["pixel_nm"]);
    r.propagation = propagation_of(nb::cast<std::string>(found["propagation"]));
    r.slice_nm = nb::cast<double>(found["slice_nm"]);
    r.probe_power = nb::cast<double>(found["probe_power"]);
    r.floor = nb::cast<double>(found["floor"]);
    r.memory = nb::cast<std::uint64_t>(found["memory"]);
    r.notes = nb::cast<std::vector<std::string>>(found["notes"]);
    saved.wavelength_nm = nb::cast<double>(found["wavelength_nm"]);
    saved.settings = settings_of(found);
    return saved;
}

std::vector<Position> ptychography_positions(Dense<double, 2> const& array) {
    return positions_of(array);
}

void add_ptychography(nb::module_& m) {
    nb::class_<Patterns>(m, "Patterns")
        .def_prop_ro("counts", counts_of)
        .def_prop_ro("positions", [](Patterns const& p) { return positions_to_numpy(p.positions); })
        .def_prop_ro("bad",
                     [](Patterns const& p) -> nb::object {
                         if (p.bad.empty()) return nb::none();
                         return to_numpy(p.bad, {p.size, p.size});
                     })
        .def_ro("size", &Patterns::size)
        .def_ro("wavelength_nm", &Patterns::wavelength_nm)
        .def_ro("pixel_nm", &Patterns::pixel_nm)
        .def_ro("distance_mm", &Patterns::distance_mm);
    m.def("make_patterns", make_patterns<std::uint8_t>, "counts"_a.noconvert(), "positions"_a,
          "bad"_a.none(), "wavelength_nm"_a, "pixel_nm"_a, "far"_a);
    m.def("make_patterns", make_patterns<std::uint16_t>, "counts"_a.noconvert(), "positions"_a,
          "bad"_a.none(), "wavelength_nm"_a, "pixel_nm"_a, "far"_a);
    m.def("make_patterns", make_patterns<float>, "counts"_a.noconvert(), "positions"_a,
          "bad"_a.none(), "wavelength_nm"_a, "pixel_nm"_a, "far"_a);
    m.def("keep_measured", keep_measured, "patterns"_a);
    m.def("patterns_of", patterns_of, "scan"_a, "size"_a, "center"_a.none(), "kilovolts"_a,
          "wavelength_nm"_a, "detector_step_mrad"_a, "propagation"_a, "detector_pixel_um"_a,
          "scan_step_nm"_a, "rotation_degrees"_a.none(), "transpose"_a.none(), "positions"_a.none(),
          "progress"_a.none());
    m.def("read_patterns", read_patterns, "path"_a, "size"_a, "center"_a.none(), "kilovolts"_a,
          "wavelength_nm"_a, "detector_step_mrad"_a, "propagation"_a, "detector_pixel_um"_a,
          "transpose"_a, "flip_rows"_a, "flip_cols"_a, "memory_limit"_a, "progress"_a.none());
    m.def("save_ptychography", save_result, "path"_a, "found"_a, "provenance"_a);
    m.def("load_ptychography", load_result, "path"_a);
    m.def("electron_wavelength_nm", optics::electron_wavelength_nm, "kilovolts"_a);
    m.def("probe_of", probe_of, "size"_a, "pixel_nm"_a, "wavelength_nm"_a, "semiangle_mrad"_a,
          "defocus_nm"_a, "astigmatism_nm"_a, "astigmatism_degrees"_a, "spherical_mm"_a,
          "aberrations"_a, "vacuum"_a.none(), "center"_a.none());
    m.def("single_side_band", single_side_band, "patterns"_a, "probe"_a, "margin"_a, "device"_a,
          "threads"_a);
    m.def("ptychography", ptychography, "patterns"_a, "stages"_a, "settings"_a, "probe"_a.none(),
          "object"_a.none(), "start"_a.none(), "checkpoint"_a, "resume"_a, "device"_a, "threads"_a,
          "progress"_a.none(), "watch"_a.none());
    add_ptychography_view(m);
    m.def("ptychography_memory", memory, "patterns"_a, "stages"_a, "settings"_a, "device"_a);
    m.def("ptychography_settings", read_settings, "path"_a);
}

}  // namespace sluice::python

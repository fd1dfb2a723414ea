// Ptychography: what looks wrong, what no pattern tells, halves, orientations, sweeps.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/ptychography_judge.h"

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>

#include "bind/choices.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/ptychography.h"
#include "bind/work.h"
#include "domain/ptychography/settings/words.h"
#include "sluice/ptychography_search.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using Wave = std::complex<float>;
using Region = std::optional<Dense<std::uint8_t, 2>>;

template <int Rank>
Array<Wave> array_of(Dense<Wave, Rank> const& from) {
    Array<Wave> array;
    for (std::size_t d = 0; d < Rank; ++d) array.shape.push_back(static_cast<index>(from.shape(d)));
    array.values.assign(from.data(), from.data() + from.size());
    return array;
}

std::vector<std::uint8_t> region_of(Region const& region) {
    if (!region) return {};
    return {region->data(), region->data() + region->size()};
}

nb::tuple tuple_of(stem4d::Ramp const& ramp) {
    return nb::make_tuple(ramp.row, ramp.col, ramp.phase);
}

stem4d::PtychographyResult outcome(Dense<Wave, 3> const& object, Dense<Wave, 3> const& probe,
                                   Dense<double, 2> const& positions) {
    stem4d::PtychographyResult result;
    result.object = array_of<3>(object);
    result.probe = array_of<3>(probe);
    result.positions = ptychography_positions(positions);
    return result;
}

nb::list list_of(std::vector<stem4d::Judgement> const& findings) {
    nb::list all;
    for (auto const& f : findings) {
        nb::list tried;
        for (auto const& t : f.tried) tried.append(nb::make_tuple(t.name, t.advice, t.r, t.turn));
        all.append(nb::make_tuple(f.name, f.value, f.threshold, f.found, f.advice, f.cause,
                                  f.tried_r, tried));
    }
    return all;
}

nb::list judge(Dense<Wave, 3> const& object, Dense<Wave, 3> const& probe,
               Dense<double, 2> const& positions, double r, double floor,
               std::array<double, 2> probe_moved, double probe_power, bool near) {
    auto result = outcome(object, probe, positions);
    result.rounds.push_back({});
    result.rounds.back().r = r;
    result.floor = floor;
    result.probe_moved = {probe_moved[0], probe_moved[1]};
    result.probe_power = probe_power;
    if (near) result.propagation = stem4d::Propagation::near;
    return list_of(unwrap(stem4d::judge(result)));
}

// The options that a result was made with, but for what it began with.
stem4d::PtychographyOptions options_of(stem4d::SettingTexts const& settings) {
    stem4d::PtychographyOptions options;
    for (auto const& [name, value] : settings) {
        std::size_t number = 0;
        int length = 0;
        if (std::sscanf(name.c_str(), "stage %zu %n", &number, &length) != 1) {
            unwrap(stem4d::set(options, name, value));
            continue;
        }
        if (number < 1 || number > settings.size()) continue;
        if (options.stages.size() < number) options.stages.resize(number);
        unwrap(stem4d::set(options.stages[number - 1],
                           name.substr(static_cast<std::size_t>(length)), value));
    }
    return options;
}

// The same of a result's fields, with the causes of a misfit tried on its patterns.
nb::list judge_with(nb::dict const& found, stem4d::Patterns const& patterns,
                    std::optional<Dense<Wave, 3>> probe, std::string const& device, int threads,
                    nb::object progress) {
    auto saved = saved_ptychography(found);
    auto options = options_of(saved.settings);
    options.device = device_named(device, threads);
    expect_probe(patterns, options, probe);
    if (probe) options.probe.assign(probe->data(), probe->data() + probe->size());
    saved.result.findings = unwrap(stem4d::judge(saved.result));
    work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::explain_misfit(saved.result, patterns, options);
    });
    return list_of(saved.result.findings);
}

nb::tuple remove_ramp(Dense<Wave, 3> const& object, Dense<Wave, 3> const& probe,
                      Dense<double, 2> const& positions) {
    auto result = outcome(object, probe, positions);
    auto const ramp = unwrap(stem4d::remove_ramp(result));
    return nb::make_tuple(to_numpy(std::move(result.object)), to_numpy(std::move(result.probe)),
                          tuple_of(ramp));
}

// As numbers that Python prints.
template <class Array>
std::string shape_of(Array const& array) {
    return fmt::format("({}, {})", array.shape(0), array.shape(1));
}

nb::dict align(Dense<Wave, 2> const& found, Dense<Wave, 2> const& truth, Region const& region) {
    if (shape_of(found) != shape_of(truth))
        raise({Code::invalid_argument, "found has the shape " + shape_of(found) + " and truth " +
                                           shape_of(truth) + "; cut both alike"});
    if (region && shape_of(*region) != shape_of(truth))
        raise({Code::invalid_argument, "region has the shape " + shape_of(*region) + " and truth " +
                                           shape_of(truth) + "; cut both alike"});
    auto a = unwrap(stem4d::align(array_of<2>(found), array_of<2>(truth), region_of(region)));
    nb::dict out;
    out["object"] = to_numpy(std::move(a.object));
    out["shift"] = nb::make_tuple(a.shift.row, a.shift.col);
    out["ramp"] = tuple_of(a.ramp);
    out["scale"] = a.scale;
    out["phase_rms"] = a.phase_rms;
    out["amplitude_rms"] = a.amplitude_rms;
    return out;
}

nb::dict dict_of_rings(stem4d::RingCorrelation&& rings) {
    nb::dict out;
    out["frequency"] = to_numpy(std::move(rings.frequency));
    out["correlation"] = to_numpy(std::move(rings.correlation));
    out["threshold"] = to_numpy(std::move(rings.threshold));
    out["resolution"] = rings.resolution;
    out["crossed"] = rings.crossed;
    out["shift"] = nb::make_tuple(rings.shift.row, rings.shift.col);
    return out;
}

nb::dict ring_correlation(Dense<Wave, 2> const& a, Dense<Wave, 2> const& b, double pixel_nm) {
    if (shape_of(a) != shape_of(b))
        raise({Code::invalid_argument,
               "a has the shape " + shape_of(a) + " and b " + shape_of(b) + "; cut both alike"});
    return dict_of_rings(
        unwrap(stem4d::ring_correlation(array_of<2>(a), array_of<2>(b), pixel_nm)));
}

nb::dict correlate_halves(stem4d::Patterns const& patterns, nb::list stages, nb::dict settings,
                          std::optional<Dense<Wave, 3>> probe, std::string const& device,
                          int threads, std::string const& halves, nb::object progress) {
    auto options = ptychography_options(stages, settings, probe, device, threads);
    expect_probe(patterns, options, probe);
    auto const which = choice<stem4d::Halves>("halves", halves);
    return dict_of_rings(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::correlate_halves(patterns, options, which);
    }));
}

nb::list orientations(stem4d::Patterns const& patterns, nb::list stages, nb::dict settings,
                      std::optional<Dense<Wave, 3>> probe, std::string const& device, int threads,
                      nb::object progress) {
    auto options = ptychography_options(stages, settings, probe, device, threads);
    expect_probe(patterns, options, probe);
    auto all = work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::orientations(patterns, options);
    });
    nb::list out;
    for (auto& o : all)
        out.append(nb::make_tuple(o.transpose, o.flip_rows, o.flip_cols, o.r,
                                  to_numpy(std::move(o.phase))));
    return out;
}

nb::list sweep(stem4d::Patterns const& patterns,
               std::vector<std::pair<std::string, std::vector<std::string>>> const& axes,
               double held_out, nb::list stages, nb::dict settings,
               std::optional<Dense<Wave, 3>> probe, std::string const& device, int threads,
               nb::object progress) {
    stem4d::SweepOptions options{
        .base = ptychography_options(stages, settings, probe, device, threads),
        .held_out = held_out};
    expect_probe(patterns, options.base, probe);
    for (auto const& [name, values] : axes) options.axes.push_back({name, values});
    auto runs = work(progress, [&](Telling& telling) {
        options.base.progress = telling.progress();
        return stem4d::ptychography_sweep(patterns, options);
    });
    nb::list out;
    for (auto& run : runs) {
        nb::dict one, given;
        for (auto const& [name, value] : run.settings) given[name.c_str()] = value;
        one["settings"] = given;
        one["r"] = run.r;
        one["floor"] = run.floor;
        one["held_out_r"] = run.held_out_r;
        one["seconds"] = run.seconds;
        one["findings"] = run.findings;
        one["error"] = run.error;
        one["phase"] = run.phase.size() ? to_numpy(std::move(run.phase)) : nb::none();
        out.append(one);
    }
    return out;
}

}  // namespace

void add_ptychography_judge(nb::module_& m) {
    m.def("ptychography_judge", judge, "object"_a, "probe"_a, "positions"_a, "r"_a, "floor"_a,
          "probe_moved"_a, "probe_power"_a, "near"_a);
    m.def("ptychography_judge_with", judge_with, "found"_a, "patterns"_a, "probe"_a.none(),
          "device"_a, "threads"_a, "progress"_a.none());
    m.def("ptychography_remove_ramp", remove_ramp, "object"_a, "probe"_a, "positions"_a);
    m.def("ptychography_align", align, "found"_a, "truth"_a, "region"_a.none());
    m.def("ring_correlation", ring_correlation, "a"_a, "b"_a, "pixel_nm"_a);
    m.def("correlate_halves", correlate_halves, "patterns"_a, "stages"_a, "settings"_a,
          "probe"_a.none(), "device"_a, "threads"_a, "halves"_a, "progress"_a.none());
    m.def("orientations", orientations, "patterns"_a, "stages"_a, "settings"_a, "probe"_a.none(),
          "device"_a, "threads"_a, "progress"_a.none());
    m.def("ptychography_sweep", sweep, "patterns"_a, "axes"_a, "held_out"_a, "stages"_a,
          "settings"_a, "probe"_a.none(), "device"_a, "threads"_a, "progress"_a.none());
}

}  // namespace sluice::python

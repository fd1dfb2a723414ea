// Orientations: libraries of known crystals, and maps of how they lie.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/core.h"
#include "bind/device.h"
#include "bind/work.h"
#include "sluice/match_orientations.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::CalibratedVectors;
using stem4d::LibraryOptions;
using stem4d::MatchOptions;
using stem4d::OrientationLibrary;
using stem4d::OrientationMap;
using stem4d::UnitCell;

OrientationLibrary build_library(std::vector<UnitCell const*> const& phases,
                                 LibraryOptions const& options, std::string const& device,
                                 int threads, nb::object progress) {
    std::vector<UnitCell> cells;
    for (UnitCell const* p : phases) cells.push_back(*p);
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return OrientationLibrary::build(cells, options, run);
    });
}

std::vector<std::string> names_of(std::vector<stem4d::CrystalPhase> const& phases) {
    std::vector<std::string> names;
    for (auto const& p : phases) names.push_back(p.name);
    return names;
}

nb::dict library_dict(OrientationLibrary const& library) {
    nb::dict out;
    out["phases"] = names_of(library.phases());
    std::vector<std::string> laue;
    for (auto const& p : library.phases()) laue.emplace_back(name_of(p.symmetry.laue));
    out["laue"] = laue;
    out["zones"] = library.zones();
    out["bytes"] = library.bytes();
    out["build_seconds"] = library.build_seconds();
    out["kilovolts"] = library.options().kilovolts;
    out["notes"] = library.notes();
    return out;
}

nb::dict spots_dict(std::vector<stem4d::TheorySpot> const& spots) {
    std::vector<std::int32_t> hkl;
    std::vector<double> row, col, excitation, intensity;
    for (auto const& s : spots) {
        hkl.insert(hkl.end(), s.hkl.begin(), s.hkl.end());
        row.push_back(s.row), col.push_back(s.col);
        excitation.push_back(s.excitation), intensity.push_back(s.intensity);
    }
    nb::dict out;
    out["hkl"] = to_numpy(std::move(hkl), {std::ssize(spots), 3});
    out["row"] = to_numpy(std::move(row));
    out["col"] = to_numpy(std::move(col));
    out["excitation"] = to_numpy(std::move(excitation));
    out["intensity"] = to_numpy(std::move(intensity));
    return out;
}

nb::dict pattern_dict(OrientationLibrary const& library, index phase,
                      std::array<double, 4> const& q) {
    return spots_dict(work(nb::none(), [&](Telling&) {
        return library.pattern(phase, {q[0], q[1], q[2], q[3]});
    }));
}

nb::dict candidate_dict(stem4d::OrientationCandidate const& c) {
    std::vector<stem4d::TheorySpot> theory;
    std::vector<double> row, col;
    for (auto const& spot : c.spots) {
        theory.push_back(spot.theory);
        row.push_back(spot.detector.row), col.push_back(spot.detector.col);
    }
    nb::dict spots = spots_dict(theory);
    spots["detector_row"] = to_numpy(std::move(row));
    spots["detector_col"] = to_numpy(std::move(col));
    nb::dict out;
    auto const& g = c.orientation;
    out["phase"] = c.phase;
    out["quaternion"] = to_numpy(std::vector<double>{g.w, g.x, g.y, g.z});
    out["euler"] = nb::cast(euler_of(g));
    out["covariance"] = to_numpy(std::vector<double>(c.covariance.begin(), c.covariance.end()));
    out["log_odds"] = c.log_odds;
    out["score"] = c.score, out["residual"] = c.residual, out["explained"] = c.explained;
    out["matched"] = c.matched;
    out["zone"] = nb::cast(c.zone);
    out["zone_degrees"] = c.zone_degrees;
    out["spots"] = spots;
    return out;
}

nb::dict match_pattern(CalibratedVectors const& vectors, index row, index col,
                       OrientationLibrary const& library, MatchOptions const& options,
                       std::string const& device, int threads) {
    stem4d::Options run{.device = device_named(device, threads)};
    auto const found = work(nb::none(), [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::orientation_of_pattern(vectors, row, col, library, options, run);
    });
    nb::list candidates;
    for (auto const& c : found.candidates) candidates.append(candidate_dict(c));
    nb::dict out;
    out["reason"] = static_cast<int>(found.reason);
    out["probability"] = found.probability;
    out["disks"] = found.disks;
    out["candidates"] = candidates;
    return out;
}

OrientationMap match(CalibratedVectors const& vectors, OrientationLibrary const& library,
                     MatchOptions const& options, std::string const& device, int threads,
                     nb::object progress) {
    stem4d::Options run{.device = device_named(device, threads)};
    return work(progress, [&](Telling& telling) {
        run.progress = telling.progress();
        return stem4d::orientation(vectors, library, options, run);
    });
}

nb::dict map_dict(OrientationMap const& m) {
    index const rows = m.scan_shape[0], cols = m.scan_shape[1];
    std::vector<std::uint8_t> reason;
    std::vector<double> quaternion, euler, covariance;
    for (std::size_t p = 0; p < m.reason.size(); ++p) {
        reason.push_back(static_cast<std::uint8_t>(m.reason[p]));
        auto const& g = m.orientation[p];
        double const nan = std::numeric_limits<double>::quiet_NaN();
        bool const known = m.phase[p] >= 0;
        for (double const x : {g.w, g.x, g.y, g.z}) quaternion.push_back(known ? x : nan);
        for (double const x : euler_of(g)) euler.push_back(known ? x : nan);
        covariance.insert(covariance.end(), m.covariance[p].begin(), m.covariance[p].end());
    }
    nb::dict out;
    out["phases"] = names_of(m.phases);
    out["step_nm"] = m.step_nm;
    out["kilovolts"] = m.kilovolts;
    out["reason"] = to_numpy(std::move(reason), {rows, cols});
    out["phase"] = to_numpy(m.phase, {rows, cols});
    out["quaternion"] = to_numpy(std::move(quaternion), {rows, cols, 4});
    out["euler"] = to_numpy(std::move(euler), {rows, cols, 3});
    out["covariance"] = to_numpy(std::move(covariance), {rows, cols, 6});
    for (auto const& [name, values] : {std::pair{"score", &m.score},
                                       {"second_score", &m.second_score},
                                       {"residual", &m.residual},
                                       {"explained", &m.explained},
                                       {"probability", &m.probability}})
        out[name] = to_numpy(*values, {rows, cols});
    out["disks"] = to_numpy(m.disks, {rows, cols});
    out["common_factor"] = m.common_factor;
    out["common_factor_error"] = m.common_factor_error;
    out["notes"] = m.notes;
    return out;
}

// An orientation map in parts, for several processes.
class PartsOfOrientations {
  public:
    PartsOfOrientations(CalibratedVectors const& vectors, OrientationLibrary const& library,
                        MatchOptions const& options, int threads)
        : library_(library), parts_(work(nb::none(), [&](Telling&) {
              return stem4d::OrientationParts::begin(vectors, library_, options,
                                                     {.device = device_named("cpu", threads)});
          })) {}

    index groups() const { return parts_.groups(); }
    nb::bytes part(index first, index count) {
        std::vector<std::byte> const made =
            work(nb::none(), [&](Telling&) { return parts_.part(first, count); });
        return nb::bytes(reinterpret_cast<char const*>(made.data()), made.size());
    }
    void add(nb::bytes part) {
        unwrap(parts_.add(std::as_bytes(std::span(part.c_str(), part.size()))));
    }
    OrientationMap finish() { return unwrap(std::move(parts_).finish()); }

  private:
    OrientationLibrary library_;  // parts_ looks at it
    stem4d::OrientationParts parts_;
};

std::vector<UnitCell> cells_of(OrientationLibrary const& library) {
    std::vector<UnitCell> cells;
    for (auto const& p : library.phases()) cells.push_back(p.cell);
    return cells;
}
// The arguments of orientation_library() that are numbers, in its order.
std::array<double, 9> numbers_of(OrientationLibrary const& library) {
    LibraryOptions const& o = library.options();
    return {o.kilovolts,   o.zone_step,    o.most_frequency,  o.excitation_sigma, o.precession_mrad,
            o.match_width, o.radius_power, o.intensity_power, o.least_intensity};
}

MatchOptions match_options(index least_disks, index grains, bool exhaustive, bool refine,
                           index candidates, double tolerance, double place_error,
                           double intensity_error, double fit_sigma, double least_probability) {
    return {.least_disks = least_disks,
            .grains = grains,
            .exhaustive = exhaustive,
            .refine = refine,
            .candidates = candidates,
            .tolerance = tolerance,
            .place_error = place_error,
            .intensity_error = intensity_error,
            .fit_sigma = fit_sigma,
            .least_probability = least_probability};
}

void add_parts(nb::module_& m) {
    nb::class_<PartsOfOrientations>(m, "OrientationParts")
        .def(
            "__init__",
            [](PartsOfOrientations* self, CalibratedVectors const& vectors,
               OrientationLibrary const& library, index least_disks, index grains, bool exhaustive,
               bool refine, index candidates, double tolerance, double place_error,
               double intensity_error, double fit_sigma, double least_probability, int threads) {
                new (self) PartsOfOrientations(
                    vectors, library,
                    match_options(least_disks, grains, exhaustive, refine, candidates, tolerance,
                                  place_error, intensity_error, fit_sigma, least_probability),
                    threads);
            },
            "vectors"_a, "library"_a, "least_disks"_a, "grains"_a, "exhaustive"_a, "refine"_a,
            "candidates"_a, "tolerance"_a, "place_error"_a, "intensity_error"_a, "fit_sigma"_a,
            "least_probability"_a, "threads"_a)
        .def_prop_ro("groups", &PartsOfOrientations::groups)
        .def("part", &PartsOfOrientations::part, "first"_a, "count"_a)
        .def("add", &PartsOfOrientations::add, "part"_a)
        .def("finish", &PartsOfOrientations::finish);
}

std::vector<std::string> reasons() {
    std::vector<std::string> names;
    for (std::size_t r = 0; r < stem4d::orientation_reasons; ++r)
        names.emplace_back(name_of(static_cast<stem4d::OrientationReason>(r)));
    return names;
}

}  // namespace

void add_orientation(nb::module_& m) {
    nb::class_<OrientationLibrary>(m, "OrientationLibrary")
        .def_prop_ro("fields", library_dict)
        .def_prop_ro("cells", cells_of)
        .def_prop_ro("numbers", numbers_of)
        .def("pattern", pattern_dict, "phase"_a, "quaternion"_a);
    nb::class_<OrientationMap>(m, "OrientationMap")
        .def_prop_ro("fields", map_dict)
        .def_prop_ro("overlapping", [](OrientationMap const& map) { return map.overlapping; });
    m.def("orientation_reasons", reasons);
    m.def(
        "orientation_library",
        [](std::vector<UnitCell const*> const& phases, double kilovolts, double zone_step,
           double most_frequency, double excitation_sigma, double precession_mrad,
           double match_width, double radius_power, double intensity_power, double least_intensity,
           std::string const& device, int threads, nb::object progress) {
            return build_library(phases,
                                 {.kilovolts = kilovolts,
                                  .zone_step = zone_step,
                                  .most_frequency = most_frequency,
                                  .excitation_sigma = excitation_sigma,
                                  .precession_mrad = precession_mrad,
                                  .match_width = match_width,
                                  .radius_power = radius_power,
                                  .intensity_power = intensity_power,
                                  .least_intensity = least_intensity},
                                 device, threads, std::move(progress));
        },
        "phases"_a, "kilovolts"_a, "zone_step"_a, "most_frequency"_a, "excitation_sigma"_a,
        "precession_mrad"_a, "match_width"_a, "radius_power"_a, "intensity_power"_a,
        "least_intensity"_a, "device"_a, "threads"_a, "progress"_a.none());
    m.def(
        "orientation",
        [](CalibratedVectors const& vectors, OrientationLibrary const& library, index least_disks,
           index grains, bool exhaustive, bool refine, index candidates, double tolerance,
           double place_error, double intensity_error, double fit_sigma, double least_probability,
           std::string const& device, int threads, nb::object progress) {
            return match(
                vectors, library,
                match_options(least_disks, grains, exhaustive, refine, candidates, tolerance,
                              place_error, intensity_error, fit_sigma, least_probability),
                device, threads, std::move(progress));
        },
        "vectors"_a, "library"_a, "least_disks"_a, "grains"_a, "exhaustive"_a, "refine"_a,
        "candidates"_a, "tolerance"_a, "place_error"_a, "intensity_error"_a, "fit_sigma"_a,
        "least_probability"_a, "device"_a, "threads"_a, "progress"_a.none());
    m.def(
        "orientation_of_pattern",
        [](CalibratedVectors const& vectors, OrientationLibrary const& library, index row,
           index col, index least_disks, index grains, bool exhaustive, bool refine,
           index candidates, double tolerance, double place_error, double intensity_error,
           double fit_sigma, double least_probability, std::string const& device, int threads) {
            return match_pattern(
                vectors, row, col, library,
                match_options(least_disks, grains, exhaustive, refine, candidates, tolerance,
                              place_error, intensity_error, fit_sigma, least_probability),
                device, threads);
        },
        "vectors"_a, "library"_a, "row"_a, "col"_a, "least_disks"_a, "grains"_a, "exhaustive"_a,
        "refine"_a, "candidates"_a, "tolerance"_a, "place_error"_a, "intensity_error"_a,
        "fit_sigma"_a, "least_probability"_a, "device"_a, "threads"_a);
    add_parts(m);
}

}  // namespace sluice::python

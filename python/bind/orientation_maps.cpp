// Orientation maps: their files, grains, boundaries and misorientations, and their pictures.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/core.h"
#include "bind/work.h"
#include "domain/orientation/figures/words.h"
#include "sluice/orientation_figures.h"
#include "sluice/orientation_file.h"
#include "sluice/orientation_grains.h"

namespace sluice::python {
namespace {

using namespace nb::literals;
using stem4d::Indices;
using stem4d::OrientationMap;
using stem4d::PoleFigureOptions;
using stem4d::Vector3;

// A call of the library without the GIL, that tells no progress.
template <class F>
auto quietly(F const& f) {
    return work(nb::none(), [&](Telling&) { return f(); });
}

OrientationMap with_step(OrientationMap const& map, double step_nm) {
    OrientationMap out = map;
    out.step_nm = step_nm;
    unwrap(stem4d::check_orientations(out));
    return out;
}

nb::dict grains_dict(OrientationMap const& map, double threshold, index least_patterns) {
    auto const found = quietly([&] {
        return stem4d::find_grains(
            map, {.threshold_degrees = threshold, .least_patterns = least_patterns});
    });
    auto maps = quietly([&] { return stem4d::grain_maps(map, found); });
    nb::list grains;
    for (stem4d::OrientationGrain const& g : found.grains) {
        nb::dict one;
        one["phase"] = g.phase;
        one["quaternion"] = std::array{g.mean.w, g.mean.x, g.mean.y, g.mean.z};
        one["euler"] = euler_of(g.mean);
        one["spread_degrees"] = g.spread_degrees;
        one["farthest_degrees"] = g.farthest_degrees;
        one["patterns"] = g.patterns;
        one["diameter_nm"] = g.diameter_nm;
        one["row"] = g.row;
        one["col"] = g.col;
        grains.append(one);
    }
    nb::dict out;
    out["grains"] = grains;
    out["grain"] = to_numpy(found.grain, {found.scan_shape[0], found.scan_shape[1]});
    out["from_mean"] = to_numpy(Array<double>(std::move(maps.from_mean)));
    out["spread"] = to_numpy(Array<double>(std::move(maps.spread)));
    out["notes"] = found.notes;
    return out;
}

nb::dict boundaries_dict(OrientationMap const& map, double least_degrees) {
    auto const found = quietly([&] { return stem4d::orientation_boundaries(map, least_degrees); });
    std::vector<std::int64_t> pairs;
    std::vector<double> degrees;
    for (auto const& b : found)
        pairs.insert(pairs.end(), {b.one, b.two}), degrees.push_back(b.degrees);
    nb::dict out;
    out["patterns"] = to_numpy(std::move(pairs), {std::ssize(found), 2});
    out["degrees"] = to_numpy(std::move(degrees));
    return out;
}

nb::dict histogram_dict(OrientationMap const& map, std::int32_t phase, double bin_degrees,
                        double least_degrees, index pairs) {
    auto found = quietly([&] {
        return stem4d::disorientation_histogram(
            map, phase,
            {.bin_degrees = bin_degrees, .least_degrees = least_degrees, .pairs = pairs});
    });
    nb::dict out;
    out["bin_degrees"] = found.bin_degrees;
    out["neighbours"] = to_numpy(std::move(found.neighbours));
    out["drawn"] = to_numpy(std::move(found.drawn));
    out["random"] = to_numpy(std::move(found.random));
    out["neighbour_pairs"] = found.neighbour_pairs;
    out["drawn_pairs"] = found.drawn_pairs;
    return out;
}

PoleFigureOptions pole_options(std::int32_t phase, double halfwidth, std::string const& name) {
    return {.phase = phase,
            .halfwidth_degrees = halfwidth,
            .projection = choice<stem4d::PoleProjection>("projection", name)};
}

nb::dict density_dict(stem4d::PoleDensity density) {
    nb::dict out;
    out["largest"] = density.largest;
    out["patterns"] = density.patterns;
    out["values"] = to_numpy(std::move(density.values), {density.side, density.side});
    return out;
}

void add_files(nb::module_& m) {
    m.def("orientations_with_step", with_step, "map"_a, "step_nm"_a);
    m.def(
        "save_orientations",
        [](std::string const& path, OrientationMap const& map) {
            quietly([&] { return stem4d::save_orientations(path, map); });
        },
        "path"_a, "map"_a);
    m.def(
        "load_orientations",
        [](std::string const& path) {
            return quietly([&] { return stem4d::load_orientations(path); });
        },
        "path"_a);
}

void add_grains(nb::module_& m) {
    m.def("orientation_grains", grains_dict, "map"_a, "threshold_degrees"_a, "least_patterns"_a);
    m.def("orientation_boundaries", boundaries_dict, "map"_a, "least_degrees"_a);
    m.def("disorientation_histogram", histogram_dict, "map"_a, "phase"_a, "bin_degrees"_a,
          "least_degrees"_a, "pairs"_a);
    m.def(
        "kernel_average_misorientation",
        [](OrientationMap const& map, index rings, double most_degrees) {
            return to_numpy(Array<double>(quietly([&] {
                return stem4d::kernel_average_misorientation(
                    map, {.rings = rings, .most_degrees = most_degrees});
            })));
        },
        "map"_a, "rings"_a, "most_degrees"_a);
}

void add_figures(nb::module_& m) {
    m.def(
        "ipf_colors",
        [](OrientationMap const& map, Vector3 const& direction, bool white) {
            Picture p = quietly([&] { return stem4d::ipf_colors(map, direction, white); });
            return to_numpy(std::move(p.rgb), {p.rows, p.cols, 3});
        },
        "map"_a, "direction"_a, "white"_a);
    m.def(
        "save_ipf_map",
        [](std::string const& path, OrientationMap const& map,
           std::vector<Vector3> const& directions, bool white, double boundary_degrees) {
            quietly([&] {
                return stem4d::save_ipf_map(path, map, {directions, white, boundary_degrees});
            });
        },
        "path"_a, "map"_a, "directions"_a, "white"_a, "boundary_degrees"_a);
    m.def(
        "pole_density",
        [](OrientationMap const& map, Indices const& hkl, std::int32_t phase, double halfwidth) {
            return density_dict(quietly([&] {
                return stem4d::pole_density(map, hkl,
                                            {.phase = phase, .halfwidth_degrees = halfwidth});
            }));
        },
        "map"_a, "hkl"_a, "phase"_a, "halfwidth_degrees"_a);
    m.def(
        "inverse_pole_density",
        [](OrientationMap const& map, Vector3 const& direction, std::int32_t phase,
           double halfwidth) {
            return density_dict(quietly([&] {
                return stem4d::inverse_pole_density(
                    map, direction, {.phase = phase, .halfwidth_degrees = halfwidth});
            }));
        },
        "map"_a, "direction"_a, "phase"_a, "halfwidth_degrees"_a);
    m.def(
        "save_pole_figures",
        [](std::string const& path, OrientationMap const& map, std::vector<Indices> const& planes,
           std::int32_t phase, double halfwidth, std::string const& projection) {
            auto const options = pole_options(phase, halfwidth, projection);
            quietly([&] { return stem4d::save_pole_figures(path, map, planes, options); });
        },
        "path"_a, "map"_a, "planes"_a, "phase"_a, "halfwidth_degrees"_a, "projection"_a);
    m.def(
        "save_inverse_pole_figures",
        [](std::string const& path, OrientationMap const& map,
           std::vector<Vector3> const& directions, std::int32_t phase, double halfwidth,
           std::string const& projection) {
            auto const options = pole_options(phase, halfwidth, projection);
            quietly(
                [&] { return stem4d::save_inverse_pole_figures(path, map, directions, options); });
        },
        "path"_a, "map"_a, "directions"_a, "phase"_a, "halfwidth_degrees"_a, "projection"_a);
}

}  // namespace

void add_orientation_maps(nb::module_& m) {
    add_files(m);
    add_grains(m);
    add_figures(m);
}

}  // namespace sluice::python

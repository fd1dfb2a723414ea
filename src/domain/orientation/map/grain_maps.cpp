// Maps of numbers out of orientations: grains, and how patterns differ from what is around them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/orientation/map/neighbours.h"
#include "sluice/orientation_grains.h"

namespace sluice::stem4d {
namespace {

constexpr double no_angle = std::numeric_limits<double>::quiet_NaN();

ScanMap empty_map(std::string name, std::string unit, std::array<index, 2> const& shape) {
    auto values = Array<double>::zeros({shape[0], shape[1]});
    std::ranges::fill(values.values, no_angle);
    return make_map(std::move(name), std::move(unit), std::move(values), Missing::not_converged);
}
void set(ScanMap& map, std::size_t p, double value) {
    map.values[p] = value;
    map.reason[p] = Missing::no;
}

// Mean over the neighbours that are near enough in place and in orientation.
double mean_around(OrientationMap const& map, std::size_t p, KernelAverageOptions const& o) {
    index const rows = map.scan_shape[0], cols = map.scan_shape[1];
    index const row = static_cast<index>(p) / cols, col = static_cast<index>(p) % cols;
    double sum = 0;
    index n = 0;
    for (index r = std::max<index>(0, row - o.rings); r <= std::min(rows - 1, row + o.rings); ++r) {
        index const left = o.rings - std::abs(r - row);
        for (index c = std::max<index>(0, col - left); c <= std::min(cols - 1, col + left); ++c) {
            auto const other = static_cast<std::size_t>(r * cols + c);
            if (other == p || !orient::is_indexed(map, other) || map.phase[other] != map.phase[p])
                continue;
            double const degrees = orient::between(map, p, other);
            if (degrees <= o.most_degrees) sum += degrees, ++n;
        }
    }
    return n > 0 ? sum / static_cast<double>(n) : no_angle;
}

}  // namespace

Result<ScanMap> kernel_average_misorientation(OrientationMap const& map,
                                              KernelAverageOptions const& options) {
    SLUICE_CHECK(check_orientations(map));
    if (options.rings < 1 || options.rings > 50 || !(options.most_degrees > 0))
        return Error{Code::invalid_argument,
                     fmt::format("{} rings of neighbours that differ by up to {:g} degrees (1 to "
                                 "50, above 0); give others",
                                 options.rings, options.most_degrees)};
    ScanMap out = empty_map("kernel_average_misorientation", "degrees", map.scan_shape);
    for (std::size_t p = 0; p < map.reason.size(); ++p) {
        if (!orient::is_indexed(map, p)) continue;
        if (double const mean = mean_around(map, p, options); std::isfinite(mean))
            set(out, p, mean);
        else
            out.reason[p] = Missing::no_neighbour;
    }
    return out;
}

Result<OrientationGrainMaps> grain_maps(OrientationMap const& map,
                                        OrientationGrains const& grains) {
    SLUICE_CHECK(check_orientations(map));
    auto const known = std::ssize(grains.grains);
    if (grains.grain.size() != map.reason.size() ||
        std::ranges::any_of(grains.grain, [&](std::int32_t g) { return g >= known; }))
        return Error{Code::invalid_argument,
                     fmt::format("grains of {} patterns for a map of {} (they are of another map); "
                                 "find them in this one",
                                 grains.grain.size(), map.patterns())};
    OrientationGrainMaps out{empty_map("grain", "", map.scan_shape),
                             empty_map("from_grain_mean", "degrees", map.scan_shape),
                             empty_map("grain_spread", "degrees", map.scan_shape)};
    for (std::size_t p = 0; p < grains.grain.size(); ++p) {
        if (grains.grain[p] < 0) continue;
        OrientationGrain const& g = grains.grains[static_cast<std::size_t>(grains.grain[p])];
        if (g.phase != map.phase[p])
            return Error{
                Code::invalid_argument,
                fmt::format("grain {} is of phase {}, and pattern {} of phase {} (they are "
                            "of another map); find grains in this one",
                            grains.grain[p] + 1, g.phase, p, map.phase[p])};
        set(out.grain, p, grains.grain[p] + 1.);
        set(out.from_mean, p,
            disorientation(map.orientation[p], g.mean,
                           map.phases[static_cast<std::size_t>(g.phase)].symmetry));
        set(out.spread, p, g.spread_degrees);
    }
    return out;
}

}  // namespace sluice::stem4d

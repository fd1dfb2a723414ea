// Counts planes down to where the protons of a beam end.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/memory.h"

#include <algorithm>
#include <cmath>

#include "domain/proton/cube/pencil_states.h"

namespace sluice::proton::cube {
namespace {

// Rays that are followed, along each side of the grid.
constexpr index looks = 5;
// Of kernels: what lies behind the range, and pixels that a halo makes the coarse grid wider.
constexpr double beyond_range = 1.05, halo_mm = 40;

// Planes that have a dose: to where the last ray has met all the water of the deepest sheet.
index planes_met(Patient const& patient, Fan const& fan, double water) {
    Rays const rays(patient, fan.frame);
    index last = 0;
    for (index i = 0; i < looks * looks; ++i) {
        auto const part = [](index n) { return (static_cast<double>(n) + 0.5) / looks; };
        double const u = fan.u(part(i % looks) * static_cast<double>(fan.columns));
        double const v = fan.v(part(i / looks) * static_cast<double>(fan.rows));
        double met = 0;
        index plane = 0;
        for (; plane < fan.planes && met < water; ++plane) {
            double const z = fan.z(static_cast<double>(plane) + 0.5);
            double const x = u * fan.frame.spread(0, z), y = v * fan.frame.spread(1, z);
            met += static_cast<double>(rays.at({x, y, z}).stopping) * fan.step;
        }
        last = std::max(last, plane);
    }
    // Slabs are worked on whole.
    return std::min(fan.planes, (last + slab_planes - 1) / slab_planes * slab_planes);
}

}  // namespace

double beam_bytes(Patient const& patient, PreparedBeam const& beam, DoseOptions const& options) {
    Fan const& fan = beam.fan;
    Physics const physics(patient.water);
    double water = 0, spot = 0;
    for (Sheet const& s : beam.sheets) {
        water = std::max(water, beyond_range * physics.range(s.energy) - s.water);
        for (Moments const& m : s.moments)
            spot = std::max({spot, m.at(0), m.at(static_cast<double>(fan.planes) * fan.step)});
    }
    // As fine_margin() has it, and with a halo.
    double const wide = std::hypot(3 + 0.04 * water, 0.5 * std::sqrt(spot));
    double const margin = std::ceil(4 * wide / fan.pixel);
    double const coarse_margin =
        std::ceil((4 * std::sqrt(spot) + halo_mm) / fan.pixel) / coarse_side;
    auto const rows = static_cast<double>(fan.rows), columns = static_cast<double>(fan.columns);
    double const fine = (rows + 2 * margin) * (columns + 2 * margin);
    double const coarse =
        (rows / coarse_side + 2 * coarse_margin) * (columns / coarse_side + 2 * coarse_margin);
    double const channels = options.let ? 2 : 1,
                 coarse_channels = channels + (options.error ? 1 : 0);
    auto const planes = static_cast<double>(planes_met(patient, fan, water));
    double const cubes = planes * (fine * channels + coarse * coarse_channels) * sizeof(float);
    // Eight numbers of each sheet's pencil; of a slab three of rays, two and two of pencils, and
    // those of the coarse grid.
    double const pixels = rows * columns;
    double const states = pixels * 8 * sizeof(float) * static_cast<double>(beam.sheets.size());
    double const slab = pixels * slab_planes *
                        (3 + channels + 2 + (channels + 4) / (coarse_side * coarse_side)) *
                        sizeof(float);
    return cubes + states + slab;
}

double grid_bytes(double voxels, DoseOptions const& o, index beams) {
    auto const alone = o.each_beam ? static_cast<double>(beams) : 0;
    return voxels * sizeof(float) * (1 + (o.let ? 1 : 0) + (o.error ? 1 : 0) + alone);
}

}  // namespace sluice::proton::cube

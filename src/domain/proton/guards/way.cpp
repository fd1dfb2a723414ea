// What a straight line through the phantom meets.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/way.h"

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/grid.h"

namespace sluice::proton::guards {

std::uint16_t material_at(Phantom const& p, Beam const& beam, double offset, index k) {
    if (p.map.empty()) return 0;
    double const z = (static_cast<double>(k) + 0.5) * p.dz;
    double const x = beam.x + offset + z * std::tan(beam.angle);
    double const column = std::floor((x - p.x0) / p.dx);
    auto const i = static_cast<index>(std::clamp(column, 0.0, static_cast<double>(p.columns - 1)));
    return p.map[static_cast<std::size_t>(k * p.columns + i)];
}

std::vector<Crossing> along(Physics const& physics, Phantom const& p, Beam const& beam,
                            double offset) {
    std::vector<Crossing> out;
    double const path = p.dz / std::cos(beam.angle), whole = physics.range(beam.energy);
    double left = whole;
    for (index k = 0; k < p.planes; ++k) {
        Material const& m = p.materials[material_at(p, beam, offset, k)];
        double const water = path * physics.relative_stopping_power(m, physics.energy(left));
        // What is left behind is narrow, and its angles say little.
        if (left - water < 0.03 * whole) break;
        // Scattering follows the range that is used up on the way, also where that is little.
        double const most = std::max(left - path * 1e-3, left - water);
        double const per_mm =
            marching::scattering_between(physics, std::min(most, left - 1e-9), left) /
            std::max(left - most, 1e-9);
        double const z = p.dz * (static_cast<double>(k) + 0.5);
        double const young =
            marching::is_gas(m) ? marching::part_of_thick(physics, beam, left - water, left) : 1;
        double const middle = physics.energy(left - water / 2);
        double const stopping = physics.stopping_power(middle);
        out.push_back({z, water, per_mm * path * m.scattering * young,
                       physics.straggling(m, middle) * path / (stopping * stopping)});
        left -= water;
    }
    return out;
}

double end_of(Phantom const& p, std::vector<Crossing> const& way) {
    return p.dz * static_cast<double>(way.size());
}

}  // namespace sluice::proton::guards

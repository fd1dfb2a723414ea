// The axis of a wide field, for tests beside others' depth doses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "sluice/proton.h"

namespace sluice::proton {

inline Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

// Columns so wide that nothing leaves: on the axis of a wide field it is the same.
inline Phantom wide(double depth, double dz) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = 400;
    p.columns = 3;
    p.x0 = -600;
    p.planes = static_cast<index>(std::ceil(depth / dz));
    return p;
}

inline MarchResult marched(Phantom const& p, double energy, double spread, bool let_map = false) {
    MarchOptions o;
    o.let_map = let_map;
    o.angle_step = 1.5 * std::numbers::pi / 180;
    Beam const b{.energy = energy, .energy_spread = spread, .sigma_x = 5};
    return march(physics(), p, b, o).value();
}

}  // namespace sluice::proton

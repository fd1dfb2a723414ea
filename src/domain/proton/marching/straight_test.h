// Beams in water that fly straight ahead, for tests beside theory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "domain/proton/marching/wide_field_test.h"

namespace sluice::proton {

inline Phantom water(double depth, double width, double dz, double dx) {
    Phantom p;
    p.materials = {material("water").value()};
    p.dz = dz;
    p.dx = dx;
    p.planes = static_cast<index>(std::ceil(depth / dz));
    p.columns = static_cast<index>(std::ceil(width / dx));
    p.x0 = -p.width() / 2;
    return p;
}

inline MarchOptions straight() {
    MarchOptions o;
    o.scattering = o.nuclear = false;
    o.angle_window = o.angle_step;
    o.precision = Precision::f64;
    return o;
}

inline Beam pencil(double energy, double sigma) {
    Beam b;
    b.energy = energy;
    b.sigma_x = sigma;
    return b;
}

}  // namespace sluice::proton

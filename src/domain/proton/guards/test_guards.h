// What tests of guards share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "sluice/proton_guards.h"

namespace sluice::proton {

inline Physics const& physics() {
    static Physics const p(WaterTable::icru90);
    return p;
}

inline Guard const* find(std::vector<Guard> const& guards, std::string_view name) {
    auto const at = std::ranges::find(guards, name, &Guard::name);
    return at == guards.end() ? nullptr : &*at;
}

inline Phantom box(std::string_view name, double depth, double dz, index columns, double dx) {
    Phantom p;
    p.materials = {material(name).value()};
    p.dz = dz;
    p.dx = dx;
    p.planes = static_cast<index>(std::lround(depth / dz));
    p.columns = columns;
    p.x0 = -p.width() / 2;
    return p;
}

}  // namespace sluice::proton

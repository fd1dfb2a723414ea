// The rays of a beam through a target, and how deep in water they are in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/run.h"
#include "domain/proton/cube/fan.h"
#include "domain/proton/cube/geometry.h"

namespace sluice::proton::target {

/// A place of a ray in the target.
struct Depth {
    float water = 0;  ///< mm met before it
    float wide = 1;   ///< how much the field is wider there than at the isocentre, as an area
};
struct Ray {
    double u = 0, v = 0;        ///< in the plane of the isocentre
    std::vector<Depth> inside;  ///< along the ray
};

/// Rays `spacing` apart, one of them through the isocentre; those that miss the target are left
/// out. `inside`: the target in the patient's elements. Rows go along v, every other one backwards.
std::vector<Ray> rays_through(Patient const& patient, std::vector<std::uint16_t> const& inside,
                              cube::Frame const& frame, double spacing, int threads, Run& run);

}  // namespace sluice::proton::target

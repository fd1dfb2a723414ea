// Computes the propagator.
// SPDX-License-Identifier: Apache-2.0
#include "optics/propagator.h"

namespace sluice::optics {

// H = exp(i dz (kz - k0) + i dz (kr tan tr + kc tan tc)), kz = sqrt(k0^2 - k^2): the angular
// spectrum without the phase of a wave that goes straight on. A beam tilt of the specimen is a
// shift from slice to slice.
Propagator propagator_of(WaveGrid const& grid, double distance_nm, std::array<double, 2> tilt_rad) {
    auto const size = static_cast<std::size_t>(grid.side * grid.side);
    Propagator all;
    all.factors.resize(size);
    all.by_distance.resize(size);
    for (auto& part : all.by_tilt) part.resize(size);
    double const tan_r = std::tan(tilt_rad[0]), tan_c = std::tan(tilt_rad[1]);
    each_direction(grid, [&](std::size_t q, double kr, double kc, double along) {
        double const rate = along + kr * tan_r + kc * tan_c;
        all.factors[q] = std::polar(1.0, distance_nm * rate);
        all.by_distance[q] = rate;
        all.by_tilt[0][q] = distance_nm * kr * (1 + tan_r * tan_r);
        all.by_tilt[1][q] = distance_nm * kc * (1 + tan_c * tan_c);
    });
    return all;
}

}  // namespace sluice::optics

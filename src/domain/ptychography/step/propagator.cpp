// Computes the propagator.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/propagator.h"

namespace sluice::ptycho {

// H = exp(i dz (kz - k0) + i dz (kr tan tr + kc tan tc)), kz = sqrt(k0^2 - k^2): the angular
// spectrum without the phase of a wave that goes straight on. A beam tilt of the specimen is a
// shift from slice to slice.
Propagator propagator_of(Model const& model) {
    auto const size = static_cast<std::size_t>(model.window * model.window);
    Propagator all;
    all.factors.resize(size);
    all.by_slice.resize(size);
    for (auto& part : all.by_tilt) part.resize(size);
    double const tan_r = std::tan(model.tilt_rad[0]), tan_c = std::tan(model.tilt_rad[1]);
    each_direction(model, [&](std::size_t q, double kr, double kc, double along) {
        double const rate = along + kr * tan_r + kc * tan_c;
        all.factors[q] = std::polar(1.0, model.slice_nm * rate);
        all.by_slice[q] = rate;
        all.by_tilt[0][q] = model.slice_nm * kr * (1 + tan_r * tan_r);
        all.by_tilt[1][q] = model.slice_nm * kc * (1 + tan_c * tan_c);
    });
    return all;
}

}  // namespace sluice::ptycho

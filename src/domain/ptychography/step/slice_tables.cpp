// Puts the propagator into the order of the passes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/slice_tables.h"

#include "fft/squares/tile.h"
#include "optics/propagator.h"

namespace sluice::ptycho {

SliceTables::SliceTables(Model const& model)
    : propagator_(1, model.window * model.window), rates_(3, model.window * model.window / 2) {
    optics::Propagator const all =
        optics::propagator_of(model.wave_grid(), model.slice_nm, model.tilt_rad);
    index const side = model.window, area = side * side;
    double const scale = 1 / static_cast<double>(area);
    for (index i = 0; i < area; ++i) {
        auto const q = static_cast<std::size_t>(fft::natural_place(side, i));
        float* const to = propagator_.re(0) + i / 16 * 32 + i % 16;
        to[0] = static_cast<float>(scale * all.factors[q].real());
        to[16] = static_cast<float>(scale * all.factors[q].imag());
        rates_.re(0)[i] = static_cast<float>(all.by_distance[q]);
        rates_.re(1)[i] = static_cast<float>(all.by_tilt[0][q]);
        rates_.re(2)[i] = static_cast<float>(all.by_tilt[1][q]);
    }
}

}  // namespace sluice::ptycho

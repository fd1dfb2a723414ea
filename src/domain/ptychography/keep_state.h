// The state, as checkpoints keep it: a new array of State gets its line here and nowhere else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
#include "domain/ptychography/state.h"

namespace sluice::ptycho {

/// The probe's variations, which are there once a stage has begun them.
template <class Real>
void keep_variations(State<Real>& state, Archive<Real>& archive) {
    index modes = std::ssize(state.opr_modes), weights = std::ssize(state.opr_weights);
    archive.number("opr/modes", modes);
    archive.number("opr/weights", weights);
    // A damaged number must not take memory.
    index const patterns = std::ssize(state.positions);
    bool const fits =
        modes >= 0 && modes <= 64 && (weights == 0 || weights == patterns * (modes + 1));
    index const side = state.probe.front().rows();
    state.opr_modes.resize(fits ? static_cast<std::size_t>(modes) : 0, Planar<Real>(side, side));
    state.opr_weights.resize(fits ? static_cast<std::size_t>(weights) : 0);
    archive.planes("opr/planes", state.opr_modes);
    archive.numbers("opr/factors", state.opr_weights);
}

template <class Real>
void keep_state(State<Real>& state, Archive<Real>& archive) {
    archive.planes("object", state.object);
    archive.planes("probe", state.probe);
    archive.positions("positions", state.positions);
    archive.positions("descan", state.descan);
    archive.reals("background", state.background);
    keep_variations(state, archive);
}

}  // namespace sluice::ptycho

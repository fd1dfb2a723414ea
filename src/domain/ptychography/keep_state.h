// The state, as checkpoints keep it: a new array of State gets its line here and nowhere else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/archive.h"
#include "domain/ptychography/state.h"

namespace sluice::ptycho {

template <class Real>
void keep_state(State<Real>& state, Archive<Real>& archive) {
    archive.planes("object", state.object);
    archive.planes("probe", state.probe);
    archive.positions("positions", state.positions);
    archive.positions("descan", state.descan);
    archive.reals("background", state.background);
}

}  // namespace sluice::ptycho

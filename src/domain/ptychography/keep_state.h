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

/// A vector that is empty until a stage fills it; `most` numbers at most, so that a damaged size
/// takes no memory.
template <class T, class Real>
void keep_size(std::string const& name, std::vector<T>& values, index most,
               Archive<Real>& archive) {
    index size = std::ssize(values);
    archive.number(name + "/size", size);
    values.resize(size >= 0 && size <= most ? static_cast<std::size_t>(size) : 0);
}

template <class Real>
void keep_state(State<Real>& state, Archive<Real>& archive) {
    archive.planes("object", state.object);
    archive.planes("probe", state.probe);
    archive.positions("positions", state.positions);
    keep_size("descan", state.descan, std::ssize(state.positions), archive);
    archive.positions("descan/shifts", state.descan);
    keep_size("background", state.background, index{1} << 24, archive);
    archive.reals("background/counts", state.background);
    archive.number("slices/distance", state.slice_nm);
    archive.number("slices/tilt_row", state.tilt_rad[0]);
    archive.number("slices/tilt_col", state.tilt_rad[1]);
    keep_variations(state, archive);
}

/// Fails where windows are beyond the canvas, as a damaged file may have them.
template <class Real>
Status check_places(State<Real> const& state) {
    auto const n = static_cast<double>(state.probe.front().rows());
    auto const rows = static_cast<double>(state.object.front().rows());
    auto const cols = static_cast<double>(state.object.front().cols());
    for (auto const& p : state.positions)
        if (!(p.row >= 0 && p.row <= rows - n && p.col >= 0 && p.col <= cols - n))
            return Error{Code::corrupt,
                         "the checkpoint's positions lie beyond the object (the file is damaged) "
                         "begin without it"};
    return {};
}

/// What a stage remembers of refining, once it has begun.
template <class Real>
void keep_refining(State<Real>& state, Archive<Real>& archive) {
    for (std::size_t i = 0; i < state.affine_speed.size(); ++i)
        archive.number("refining/affine_" + std::to_string(i), state.affine_speed[i]);
    for (std::size_t i = 0; i < state.slices_speed.size(); ++i)
        archive.number("refining/slices_" + std::to_string(i), state.slices_speed[i]);
    index rest = state.positions_rest ? 1 : 0;
    archive.number("refining/rest", rest);
    state.positions_rest = rest != 0;
    archive.positions("refining/from", state.stage_positions);
}

}  // namespace sluice::ptycho

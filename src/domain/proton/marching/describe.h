// What is known of the protons at one depth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// Of what enters a plane, without LET; `before_face` is the variance of angles that the scattering
/// at its face added for the plane before.
template <class Real>
PlaneSums plane_sums(State<Real> const& state, Phantom const& phantom, double before_face);

/// The mean energy of each column of what enters a plane; `mean` where almost no protons are. The
/// sums of rows must be those of the state.
template <class Real>
void column_energies(State<Real> const& state, double mean, std::vector<double>& energies);

/// The energies of what there is at a depth; the sums of rows must be those of the state.
template <class Real>
Spectrum spectrum_of(State<Real> const& state, Physics const& physics, double depth);

/// Mean and spread of x of all that there is, less a column's own; the sums of angles must be those
/// of the state.
template <class Real>
void exit_spread(State<Real> const& state, Phantom const& phantom, MarchResult& result);

}  // namespace sluice::proton::marching

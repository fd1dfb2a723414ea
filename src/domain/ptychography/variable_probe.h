// The variable probe: what orthogonal modes add to each pattern's first mode, and its intensity
// (orthogonal probe relaxation, M. Odstrcil et al., 10.1364/OE.24.008360).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Whether a stage lets the probe vary.
bool varies(stem4d::PtychographyStage const& stage);

/// Fails where a stage's solver knows one probe only, or its groups cannot show variations.
Status check_variation(index patterns, stem4d::PtychographyOptions const& options);

/// Room for the stage's modes and weights, beside what is there; the modes are noise as bright as
/// the probe, and no pattern has any of them yet.
template <class Real>
void begin_variation(State<Real>& state, stem4d::PtychographyStage const& stage, double power,
                     std::uint64_t seed);

/// After Job::run() and what the solver makes of it: one step of alternating least squares on the
/// changes that the group's patterns want of their probes, beyond those that all share. It uses up
/// the gradients of the first mode.
template <class Real>
void vary_probe(Job<Real>& job);

/// After an iteration: wild weights are cut, the common part goes to the probe, modes
/// become orthogonal, strongest first.
template <class Real>
void settle_variation(Job<Real>& job);

/// The part of the probe's power that its variations have, mean over patterns.
template <class Real>
double variation_power(State<Real> const& state);

}  // namespace sluice::ptycho

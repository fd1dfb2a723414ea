// The support that a stage keeps its probe in: the one it gives, or a gentle usual one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Whether the stage says which part of the window the probe is kept in.
bool gives_support(PtychographyStage const& stage);

/// Whether what lies beyond the usual support fades, unless the probe fills its window. Projections
/// fit the probe anew each time, conjugate directions belong to it as it is, steps of Adam are too
/// short to bring back what patterns ask for, and the window of a near field is all lit.
bool has_usual_support(PtychographyStage const& stage, Model const& model);

/// Multiplies modes by the support's mask; without a support it does nothing.
template <class Real>
void keep_support(Job<Real>& job);

/// The note for a probe that fills its window, so that the usual support does nothing; empty for
/// other probes.
template <class Real>
std::string note_of_support(std::vector<Planar<Real>> const& probe);

}  // namespace sluice::ptycho

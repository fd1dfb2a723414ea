// Outcome: what a reconstruction tells of itself when it ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/planar.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Of the power of all modes where it is not faint, so that noise far out does not pull.
template <class Real>
stem4d::Position center_of(std::vector<Planar<Real>> const& probe);

/// The note for an artefact that was found.
std::string note_of(stem4d::Judgement const& finding);

/// What judge() says goes to the findings; what it found becomes notes.
void note_findings(stem4d::PtychographyResult& result);

}  // namespace sluice::ptycho

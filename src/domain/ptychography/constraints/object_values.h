// What values an object may have: where it was not lit, how large, and with which phases.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// 1 where the illumination `light` is below `part` of its largest.
template <class Real>
void keep_to_support(Job<Real> const& job, std::vector<Real> const& light, double part);

/// Moduli above 1, or all of them, become 1.
template <class Real>
void limit_moduli(std::vector<Planar<Real>>& object, bool all, int threads);

/// Raises the phases below the `part`-quantile of a slice's lit pixels (as keep_to_support means
/// it, with 0.05) to that. Where `turns`, the quantile then becomes phase 0; the probe takes what
/// is turned, so that no pattern changes.
template <class Real>
void raise_phases(Job<Real>& job, std::vector<Real> const& light, double part, bool turns);

}  // namespace sluice::ptycho

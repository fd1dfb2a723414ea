// The probe's power: a factor that goes from probe to object changes no pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// Scales the probe to the patterns' mean power. `shared`: the object takes what the probe loses.
template <class Real>
void keep_power(Job<Real>& job, bool shared);

}  // namespace sluice::ptycho

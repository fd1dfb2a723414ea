// The probe's power: a factor that goes from probe to object changes no pattern.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// What the probe is multiplied by to have the patterns' mean power, and a slice of the object
/// where it takes what the probe loses: the product over the slices is what counts.
struct PowerFactors {
    double probe = 1, slice = 1;
};
template <class Real>
PowerFactors power_factors(Job<Real> const& job);

template <class Real>
void scale_planes(std::vector<Planar<Real>>& planes, double by);

/// Scales the probe to the patterns' mean power. `shared`: the object takes what the probe loses.
template <class Real>
void keep_power(Job<Real>& job, bool shared);

}  // namespace sluice::ptycho

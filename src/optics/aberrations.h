// The phase that aberrations give a wave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/optics.h"

namespace sluice::optics {

/// All aberrations of a probe, one after the other. Fails where one is impossible.
Result<std::vector<Aberration>> aberrations_of(ProbeOptics const& probe);

/// chi in rad at an angle from the axis [rad] and an azimuth from columns to rows [rad].
double chi_of(std::vector<Aberration> const& aberrations, double angle, double azimuth,
              double wavelength_nm);

}  // namespace sluice::optics

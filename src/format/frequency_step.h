// A detector's step in 1/nm, which is an angle only once the electrons' wavelength is known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/dataset.h"

namespace sluice {

/// As a field of Dataset::metadata.
MetaField frequency_step_field(double per_nm);

/// Of one stored pixel, in 1/nm; 0: the file does not say it.
double frequency_step(Dataset const& dataset);

}  // namespace sluice

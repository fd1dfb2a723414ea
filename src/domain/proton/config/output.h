// The results that a configuration asks for beyond the dose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// The table [output]; the phantom must be known.
Status read_output(Table output, Config& c);

}  // namespace sluice::proton

// The table of the dense mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// [dense]: a configuration that has it is computed so.
Status read_dense(Table dense, Config& config);

}  // namespace sluice::proton

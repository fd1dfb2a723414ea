// What `sluice info` says of machines of proton beams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"

namespace sluice::cli {

/// Its distances, energies, spots and depth doses, and what was assumed about them.
Status machine_info(std::string const& path, Json* json);

}  // namespace sluice::cli

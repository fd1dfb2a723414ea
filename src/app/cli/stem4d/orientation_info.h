// What an orientation map holds, for `sluice info`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/result.h"

namespace sluice::cli {

/// Prints it for people, or fills `json` where there is one.
Status orientation_info(std::string const& path, Json* json);

}  // namespace sluice::cli

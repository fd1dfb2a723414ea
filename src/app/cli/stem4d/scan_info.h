// What a scan is, for `sluice info`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/scan.h"

namespace sluice::cli {

/// Prints it for people, or fills `json` where there is one. With `memory` the scan is loaded, and
/// the bytes of each of its forms are told.
Status scan_info(std::string const& path, OpenOptions const& open, LoadOptions const& load,
                 bool memory, Json* json);

}  // namespace sluice::cli

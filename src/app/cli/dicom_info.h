// What `sluice info` says of DICOM files, and of lists of spots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"

namespace sluice::cli {

/// A CT series or an RT dose. The pixels are not read.
Status dicom_info(std::string const& path, Json* json);
/// Beams, layers and spots of a plan.
Status plan_info(std::string const& path, Json* json);
/// Names and volumes of structures.
Status structures_info(std::string const& path, Json* json);

}  // namespace sluice::cli

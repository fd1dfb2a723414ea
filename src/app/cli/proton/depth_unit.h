// The unit of depths that a curve's header tells.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/result.h"

namespace sluice::cli {

/// Millimetres of one unit; empty: the line says nothing of it. Only a first column that is called
/// a depth (depth, z, x, position, WET ...), or a unit alone, counts: "# Depth (cm), dose". Errors:
/// a unit of a depth that is no length, as g/cm2.
Result<std::optional<double>> depth_unit(std::string const& header);

}  // namespace sluice::cli

// Zarr groups: folders with attributes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::zarr {

/// Makes a group, or gives it other attributes; `attributes` is the text of a JSON object.
Status write_group(std::string const& path, int version, std::string const& attributes = "{}");

/// The attributes of a group of either version, as JSON.
Result<std::string> read_attributes(std::string const& path);

/// Whether there is a group or an array at a path.
bool is_node(std::string const& path);

}  // namespace sluice::zarr

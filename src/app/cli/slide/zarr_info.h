// What an OME-Zarr folder is, for `sluice info`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::cli {

/// Whether there is a group or an array of Zarr.
bool is_zarr(std::string const& path);

/// Prints it, as JSON or for people.
Status zarr_info(std::string const& path, bool json);

}  // namespace sluice::cli

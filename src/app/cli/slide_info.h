// What a slide is, for `sluice info`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice::cli {

/// Whether the file begins as CZI files do; false where it cannot be read.
bool is_czi(std::string const& path);

/// Prints it, as JSON or for people.
Status slide_info(std::string const& path, bool recover, bool json);

}  // namespace sluice::cli

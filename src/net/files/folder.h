// What appears in a folder that is watched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/open_options.h"

namespace sluice::net::files {

/// Whether a file of that name may be an acquisition that begins: raw files where `options` say
/// what they hold.
bool may_begin(std::string_view name, OpenOptions const& options);

/// Such files of the folder, the oldest first. Files that belong to another one are left out.
std::vector<std::string> acquisitions_in(std::string const& folder, OpenOptions const& options);

}  // namespace sluice::net::files

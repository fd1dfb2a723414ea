// Files that another file names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::hdf5::object {

/// Where a file that another one in `folder` names is: as named, or under its own name in
/// `folder`. Empty if it is nowhere, or not a file.
std::string find_beside(std::string const& folder, std::string const& name);
std::string folder_of(std::string const& path);

}  // namespace sluice::hdf5::object

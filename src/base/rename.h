// Renames in one step: to a name that is free, or in exchange with the file that has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

namespace sluice {

/// Gives `from` the name `to`, or says (file_exists and its kin) that something has it.
std::error_code rename_if_free(std::string const& from, std::string const& to);

/// Removes `aside`, gives `to` that name, and `from` the name `to`. One of the two has the name
/// `to` at every moment, where the file system can exchange names.
std::error_code exchange_names(std::string const& from, std::string const& to,
                               std::string const& aside);

}  // namespace sluice

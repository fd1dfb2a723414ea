// Files that Sluice writes beside a scan: they are part of no series.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// How the name of a scan's file of tables ends.
inline constexpr std::string_view tables_ending = ".sluice-tables";
/// How the file itself begins.
inline constexpr std::string_view tables_mark = "SLTABLES";

/// A folder's name as a user may write it ends in slashes.
inline std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

}  // namespace sluice

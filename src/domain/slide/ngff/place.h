// Where a conversion writes: the cleaning of the folder, and its final name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "sluice/result.h"

namespace sluice::slide::ome {

/// Removes everything from a folder but the files of `known`, which are paths relative to it.
Status keep_only(std::string const& folder, std::set<std::string> const& known);

/// Waits until all that was written to the file system of a folder is on the disk.
Status flush_files(std::string const& folder);

/// Whether there is anything of this name, be it a link that leads nowhere.
bool is_there(std::string const& path);

/// Gives `part` the name `path` and waits until that is on the disk. What has the name, other than
/// an empty folder, is an error, or replaced: then there is one of the two at every moment, where
/// the file system can exchange names.
Status take_name(std::string const& part, std::string const& path, bool replace);

/// Gives an output its name back where take_name() was killed before it had replaced it.
void restore_name(std::string const& path);

}  // namespace sluice::slide::ome

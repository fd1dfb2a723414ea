// Where an output is written until it is complete: the cleaning of its folder, and its final name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "sluice/result.h"

namespace sluice {

/// Removes everything from a folder but the files of `known`, which are paths relative to it.
Status keep_only(std::string const& folder, std::set<std::string> const& known);

/// Waits until all that was written to the file system of a folder is on the disk.
Status flush_files(std::string const& folder);

/// Whether an entry has this name; dangling links count.
bool is_there(std::string const& path);

/// Gives `part` the name `path` and waits until that is on the disk. An entry of that name, unless
/// it is an empty folder, is an error or is replaced: one of the two then exists at every moment,
/// where the file system can exchange names.
Status take_name(std::string const& part, std::string const& path, bool replace);

/// Gives an output its name back where take_name() was killed before it had replaced it.
void restore_name(std::string const& path);

}  // namespace sluice

// Files that were not finished: what NewFile writes until it is whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// Whether a file's name is one that NewFile gives until the file is whole: what is in it is no
/// file yet, and may be left from a program that was killed.
bool is_unfinished(std::string_view name);

/// A lock on a whole file that the process holds as long as the descriptor is open; libraries that
/// lock files themselves do not see it. False where somebody else has it, or there are no locks.
bool lock_file(int fd);

/// Removes what writers of `path` left that were killed: NAME.part-NUMBER where no process has the
/// number and none, on no machine, holds the file's lock. Each folder is listed once.
void remove_leftovers(std::string const& path);

}  // namespace sluice

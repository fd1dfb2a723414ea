// Files that were not finished: what NewFile writes until it is whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice {

/// Whether a file's name is one that NewFile gives until the file is whole: the file is unfinished,
/// or was left by a program that was killed.
bool is_unfinished(std::string_view name);

/// What temporary names of a file begin with: its name, or where that and the rest have more than
/// 255 bytes, its beginning and a number made of all of it.
std::string unfinished_prefix(std::string const& filename);

/// Whether the last name of a path is longer than any file's can be. Temporary names are shorter,
/// so that the system would refuse the name only at the end.
bool has_too_long_name(std::string_view path);

/// The temporary name of `path` for this process. Others are for when one is taken: containers and
/// machines that share a folder may have processes of one number.
std::string unfinished_name(std::string const& path, int other = 0);

/// Whether such a name is of a process that this machine does not have (any more). A process of
/// another machine may have its number, but holds a lock.
bool writer_has_ended(std::string_view name);

/// Removes what writers of `path` left that were killed: NAME.part-NUMBER where no process has the
/// number and no process, on whatever machine, holds the file's lock. Each folder is listed once.
void remove_leftovers(std::string const& path);

}  // namespace sluice

// Files that were not finished: what NewFile writes until it is whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice {

/// Whether a file's name is one that NewFile gives until the file is whole: what is in it is no
/// file yet, and may be left from a program that was killed.
bool is_unfinished(std::string_view name);

/// What temporary names of a file begin with: its name, or where that and the rest are no name of
/// 255 bytes any more, its beginning and a number made of all of it.
std::string unfinished_prefix(std::string const& filename);

/// Whether the last name of a path is longer than any file's can be. Temporary names are shorter,
/// so that nobody would tell it before the end.
bool has_too_long_name(std::string_view path);

/// The temporary name of `path` for this process. Others are for when one is taken: containers and
/// machines that share a folder may have processes of one number.
std::string unfinished_name(std::string const& path, int other = 0);

/// Whether such a name is of a process that this machine does not have (any more). On another
/// machine one may have its number, but that holds a lock.
bool writer_has_ended(std::string_view name);

/// What became of a lock: some file systems have none.
enum class Lock : std::uint8_t { taken, held_by_another, unknown_here };

/// A lock on a whole file that the process holds as long as the descriptor is open; libraries that
/// lock files themselves do not see it.
Lock lock_file(int fd);

/// Whether `path` is still the file that is open: whoever had its lock before may have removed it.
bool still_there(int fd, std::string const& path);

/// Removes what writers of `path` left that were killed: NAME.part-NUMBER where no process has the
/// number and none, on no machine, holds the file's lock. Each folder is listed once.
void remove_leftovers(std::string const& path);

}  // namespace sluice

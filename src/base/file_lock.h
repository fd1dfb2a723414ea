// Locks on files, which the system lets go of when the process ends, however it ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sluice/result.h"

namespace sluice {

/// What came of a try to lock: some file systems have no locks.
enum class Lock : std::uint8_t { taken, held_by_another, unknown_here };

/// Locks a whole file that is open for writing. The process holds the lock as long as the
/// descriptor is open; libraries that lock files themselves do not see it.
Lock lock_file(int fd);

/// Whether a file is there and somebody, on whatever machine, holds its lock.
bool is_locked(std::string const& file);

/// Whether `path` is still the file that is open: its last holder may have removed it.
bool still_there(int fd, std::string const& path);

/// A lock with a file of its own, which is removed at the end.
class FileLock {
  public:
    /// Makes the file and tries to lock it; an error where the file cannot be made.
    static Result<FileLock> attempt(std::string const& file);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

    Lock state() const { return state_; }
    /// Who has it: "process 17", or "another process".
    std::string holder() const;

  private:
    FileLock() = default;
    std::string file_;
    int fd_ = -1;
    Lock state_ = Lock::unknown_here;
};

/// Keeps other writers away from an output, in this process and in others, by PATH.lock. `doing`
/// completes what the error says of another that has it: "converts into it".
Result<FileLock> lock_output(std::string const& path, std::string_view doing);

}  // namespace sluice

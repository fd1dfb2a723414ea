// NewFolder: a folder that appears with all its files, or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/file_lock.h"
#include "sluice/result.h"

namespace sluice {

/// Made under a temporary name beside `path`. commit() gives it its name; without commit() it is
/// removed with what is in it. What killed writers of the same path left is removed first. Several
/// writers of one path each have a temporary name; the first commit() counts.
class NewFolder {
  public:
    static Result<NewFolder> create(std::string const& path);
    NewFolder(NewFolder&& other) noexcept;
    NewFolder& operator=(NewFolder&&) = delete;
    ~NewFolder();

    /// Where files go until then.
    std::string const& temporary() const { return temporary_; }
    /// Its files must be on the disk. A folder that is there is replaced, or is an error.
    Status commit(bool replace);

  private:
    NewFolder() = default;
    std::string path_, temporary_;
    /// Held so that a folder which another machine writes is not taken for left over.
    std::optional<FileLock> lock_;
};

}  // namespace sluice

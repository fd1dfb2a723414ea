// KeptFile: a file that is written from what cannot be had again, as a measurement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sluice/result.h"

namespace sluice {

/// Unlike a NewFile its temporary name is NAME.part, where it stays without commit(), also when the
/// program is killed, and it takes no other file's place.
class KeptFile {
  public:
    static Result<KeptFile> create(std::string const& path);
    KeptFile(KeptFile&& other) noexcept;
    KeptFile& operator=(KeptFile&&) = delete;
    ~KeptFile();

    std::string const& temporary() const { return temporary_; }
    /// Flushes and renames; after an error the file has its temporary name yet.
    Status commit();
    /// Removes it: nothing is in it.
    void abandon();

  private:
    KeptFile() = default;
    std::string path_, temporary_;
    int fd_ = -1;
};

/// What keeps a KeptFile from being made: a file with its name, or with its temporary one.
Status check_kept_name(std::string const& path);

}  // namespace sluice

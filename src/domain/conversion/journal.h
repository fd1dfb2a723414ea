// The journal of an unfinished conversion: what it is made from, and the hash of every block.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "domain/conversion/target.h"

namespace sluice::conversion {

/// Lines that are appended as blocks end, each with its own hash: one that was cut or damaged
/// counts as not written. Threads may add at once.
class Journal {
  public:
    /// Begins one, whole or not at all; `of` says source and options in one line.
    static Result<Journal> create(std::string const& path, std::string const& of);
    /// Goes on with one.
    static Result<Journal> append_to(std::string const& path);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&& other) noexcept;
    ~Journal();

    Status add(index block, Stored stored);

  private:
    Journal() = default;
    std::string path_;
    int fd_ = -1;
    std::mutex mutex_;
};

struct JournalText {
    std::string of;
    std::map<index, Stored> blocks;
};
Result<JournalText> read_journal(std::string const& path);

}  // namespace sluice::conversion

// HeldFiles: files that stay open from one look at a growing acquisition to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <chrono>
#include <map>
#include <memory>

#include "base/file.h"

namespace sluice {

/// A file, and what its format found in it.
struct HeldFile {
    using Clock = std::chrono::steady_clock;
    std::shared_ptr<File const> file = {};  ///< null: what was found is enough
    std::any found = {};
    std::uint64_t size = 0;         ///< when it was opened, in bytes
    Clock::time_point opened = {};  ///< when the look began that opened it
    bool opened_now = true;         ///< since the look began
};

/// Whoever looks says which files have changed; those are opened again, and the others are not.
class HeldFiles {
  public:
    /// A look begins: those that `changed` says of are closed.
    template <class Changed>
    void begin(HeldFile::Clock::time_point now, Changed const& changed) {
        now_ = now;
        std::erase_if(files_, [&](auto& one) { return changed(one.first); });
        for (auto& [path, one] : files_) one.opened_now = false;
    }
    /// The open file; it stays where it is until the next look.
    Result<HeldFile*> open(std::string const& path);
    /// Null: it is not open.
    HeldFile const* find(std::string const& path) const;
    /// How often a file was opened.
    index opened() const { return opened_; }

  private:
    std::map<std::string, HeldFile> files_ = {};
    HeldFile::Clock::time_point now_ = {};
    index opened_ = 0;
};

}  // namespace sluice

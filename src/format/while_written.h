// WhileWritten: opening files that are still being written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "format/held_files.h"
#include "format/scan_shape.h"

namespace sluice {

/// As long as one lives, its thread opens files as far as they are written: with a row of images in
/// the order of acquisition instead of a scan, and only where whole frames can be told from others.
/// Files that HDF5 marks as being written are opened, too.
class WhileWritten {
  public:
    /// `files`: those of the looks before; null: none.
    explicit WhileWritten(HeldFiles* files = nullptr);
    ~WhileWritten();
    WhileWritten(WhileWritten const&) = delete;
    WhileWritten& operator=(WhileWritten const&) = delete;

    /// That of this thread; null: files are finished.
    static WhileWritten* now();

    /// Where a format with many files opens them.
    HeldFiles& files() { return *files_; }

    /// What the file that was opened says of what will be.
    struct Announced {
        index images = 0;                   ///< 0: nothing says how many
        std::optional<ScanGrid> scan = {};  ///< where the file says it
        std::string scan_from = {};         ///< what says it
    };
    Announced announced = {};
    /// The shape of the array may grow, too: it announces nothing.
    bool shape_grows = false;

  private:
    WhileWritten* before_;
    HeldFiles own_ = {};
    HeldFiles* files_;
};

}  // namespace sluice

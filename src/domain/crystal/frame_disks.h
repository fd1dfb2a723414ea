// FrameFinder: the disks of one frame of a scan, with the bits that find_disks() of the whole has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/finder.h"
#include "sluice/scan.h"

namespace sluice::crystal {

/// Made once for a setup: its tables take longer than a frame does.
class FrameFinder {
  public:
    /// Errors: find_disks()'s.
    static Result<FrameFinder> make(Scan const& scan, stem4d::DiskSetup const& setup,
                                    Device const& device);

    /// The scan is the one of make(), or another reading of the same files. A scan of one pattern.
    Result<stem4d::BraggVectors> find(Scan const& scan, index row, index col) const;

  private:
    FrameFinder(std::vector<std::uint8_t> bad, Finder finder)
        : bad_(std::move(bad)), finder_(std::move(finder)) {}

    std::vector<std::uint8_t> bad_;  // the finder looks at it
    Finder finder_;
};

}  // namespace sluice::crystal

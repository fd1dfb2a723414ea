// DiskWork: a search for the disks of a scan as an analysis, with all that it looks at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/crystal/detect/disk_frames.h"
#include "fold/fold_part.h"
#include "scan/scan_units.h"
#include "sluice/disks.h"

namespace sluice::crystal {

class DiskWork {
  public:
    /// Scan and options must outlive it. Errors: those of Finder::make().
    static Result<std::unique_ptr<DiskWork>> begin(Scan const& scan, stem4d::DiskSetup const& setup,
                                                   stem4d::Options const& run);
    DiskWork(DiskWork const&) = delete;
    DiskWork& operator=(DiskWork const&) = delete;

    FindDiskFrames const& analysis() const { return analysis_; }
    fold::ScanUnits const& units() const { return units_; }
    /// Says how many bytes are read, or how many units are done of a scan in memory.
    fold::RunOptions run_options() const;
    /// Bytes that the search takes, without the disks that it finds.
    std::uint64_t bytes() const;
    /// The columns of consecutive patterns, as of a scan of one row.
    stem4d::BraggVectors columns_of(std::span<FoundPattern const> patterns) const;
    /// The columns of all patterns.
    stem4d::BraggVectors columns_of_all(std::span<FoundPattern const> patterns) const;

  private:
    DiskWork(Scan const& scan, std::vector<std::uint8_t> bad, Finder finder,
             stem4d::Options const& run);

    Scan const& scan_;
    stem4d::Options const& run_;
    std::vector<std::uint8_t> bad_;  // the finder looks at it
    Finder finder_;
    RoomPool rooms_;
    store::Tally tally_;
    fold::FoldOptions fold_;
    FindDiskFrames analysis_;
    fold::ScanUnits units_;
};

}  // namespace sluice::crystal

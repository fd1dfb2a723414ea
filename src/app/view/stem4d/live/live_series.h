// LiveSeries: a scan that is being measured, as the viewer looks at it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include "sluice/stem4d_live.h"

namespace sluice::app {

/// What is said of a series beside its scan.
struct SeriesFacts {
    std::string address, series;
    std::string began = {};  ///< "14:03:22"
    bool running = true;
    index disk_points = 0;  ///< on how many the disk was found; 0: none was
    std::vector<std::string> problems = {};
};

/// Threads may share it.
class LiveSeries {
  public:
    explicit LiveSeries(stem4d::LiveScan scan) : scan_(std::move(scan)) {}

    stem4d::LiveScan& scan() { return scan_; }
    stem4d::LiveScan const& scan() const { return scan_; }
    /// Points that so_far() has at least; it grows.
    std::uint64_t seen() const {
        GrowingScan const* const kept = scan_.kept();
        return kept ? static_cast<std::uint64_t>(kept->ready()) : 0;
    }

    struct Part {
        std::shared_ptr<Scan const> scan;
        std::uint64_t seen = 0;
    };
    /// What has come; the same scan until more has.
    Part so_far() {
        std::lock_guard lock(mutex_);
        std::uint64_t const seen = this->seen();
        if (!part_.scan || part_.seen != seen)
            part_ = {std::make_shared<Scan const>(scan_.kept()->so_far()), seen};
        return part_;
    }

  private:
    stem4d::LiveScan scan_;
    std::mutex mutex_;
    Part part_ = {};
};

}  // namespace sluice::app

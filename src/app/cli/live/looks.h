// What looks at a scan again and again while it is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/stem4d_live.h"

namespace sluice::cli {

class LiveLook {
  public:
    virtual ~LiveLook() = default;
    /// Measures `points` that have come, as `run.progress` lets it, and writes what it finds. What
    /// cannot be measured yet is tried again.
    virtual void look(Scan const& part, index points, stem4d::Options const& run) = 0;
};

/// Looks at what LiveScan::keep() has until no more comes, from the 64th point on. Looks take a
/// third of the time at most.
void follow(stem4d::LiveScan const& live, std::span<LiveLook* const> looks, Device const& device);

}  // namespace sluice::cli

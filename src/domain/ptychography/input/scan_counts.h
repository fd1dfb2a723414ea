// The frames of a scan as counts of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// The frames that were measured.
std::vector<index> measured_frames(Scan const& scan);

/// Instructions for reading frames.
struct FramesOfScan {
    Scan const& scan;
    std::vector<index> frames;  ///< all that were measured
    std::vector<index> from;    ///< the detector's pixel of each of a pattern, or -1
    stem4d::PatternsOptions const& options;
    std::vector<std::string>& notes;

    /// The first one of the part that is read, and the one after its last.
    std::array<index, 2> part() const;
};

/// Into patterns.counts, in the scan's own type or, of u32, in a smaller one.
Status read_counts(FramesOfScan const& reading, stem4d::Patterns& patterns);

}  // namespace sluice::ptycho

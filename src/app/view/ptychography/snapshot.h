// Snapshot: what pages are shown of a reconstruction at one moment; it does not change any more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

#include "sluice/ptychography.h"

namespace sluice::app {

struct Snapshot {
    using Wave = Array<std::complex<float>>;  ///< [row][col]

    std::uint64_t number = 0;      ///< of all snapshots of a job, from 1
    index iteration = 0;           ///< iterations that were done
    std::map<index, Wave> slices;  ///< those that a page looks at, by their number
    std::vector<Wave> modes;
    std::vector<double> powers;  ///< of the modes; their sum is 1
    std::vector<stem4d::Position> positions, started;
};

/// Copies what is wanted of a reconstruction at work.
Snapshot snapshot_of(stem4d::PtychographyView const& view, std::set<index> const& slices);

/// Of its end; of its whole object where `slices` is empty.
Snapshot snapshot_of(stem4d::PtychographyResult const& result, std::set<index> const& slices);

}  // namespace sluice::app

// EventIndex: which images the hits of a file make, and where in the file the hits lie.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "format/scan_shape.h"
#include "format/tpx3/believed.h"
#include "format/tpx3/scan_clock.h"
#include "sluice/source.h"

namespace sluice::tpx3 {

/// Some chunks, one after the other.
struct EventBlock {
    std::uint64_t at = 0, end = 0;     ///< bytes of the file
    std::int64_t first = 0, last = 0;  ///< times of its hits
    Believed before = {};              ///< what was known when it began
};

struct EventIndex {
    std::vector<EventBlock> blocks = {};   ///< with hits of images
    std::vector<std::int64_t> until = {};  ///< of each block: the latest time up to its end
    std::vector<std::int64_t> from = {};   ///< the earliest time from its begin on
    std::vector<ImageRun> runs = {};       ///< ascending in images and times
    std::vector<FrameRun> made = {};       ///< images of which all hits are there
    std::optional<int> chip = {};          ///< the one whose hits count; empty: by the layout
    ClockCounts counts = {};
    std::array<index, 4> edges = {};  ///< signals of the file, by TdcEdge
    index hits = 0;                   ///< of the file
    index more_lines = 0;             ///< line starts behind the scan
    double line = 0;                  ///< how long a line lasts
    std::map<std::string, index> problems = {};
};

/// Reads a file once.
Result<EventIndex> index_events(Source const& file, ChipLayout const& layout, TdcEdge line_edge,
                                ScanPlan const& plan);

/// Blocks first .. second - 1 may have hits of that time.
std::pair<std::size_t, std::size_t> blocks_of(EventIndex const& events, std::int64_t from,
                                              std::int64_t to);

}  // namespace sluice::tpx3

// What the blocks of a scan's file cost: of one pattern, and of a pass over all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "planning/subject.h"

namespace sluice::planning {

/// What is read in blocks, how much more than itself a pattern takes, and how often a pass decodes
/// the same.
struct BlockCost {
    FrameBlock block;
    double pattern_bytes = 0;  ///< decoded for a pattern that is looked at alone
    double times_more = 1;     ///< than the pattern has
    double row_bytes = 0;      ///< decoded blocks beside each other along a row of the scan
    index times_a_pass = 1;    ///< that blocks are decoded, where a row of them does not stay
};

/// `value_bytes` are those of a pixel.
BlockCost block_cost(FrameBlock const& block, std::array<index, 2> scan,
                     std::array<index, 2> detector, int value_bytes);

/// A note on blocks that are there, and advice where they cost much.
void tell_blocks(WorkPlan& plan, BlockCost const& cost);

}  // namespace sluice::planning

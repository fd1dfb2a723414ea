// LineMask: a detector mask as totals of squares, and lines that are added or taken away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/lines/lines.h"

namespace sluice::lines {

struct LineMask {
    std::vector<std::uint32_t> squares = {};   ///< numbers of all levels, ascending
    std::vector<planes::MaskWord> plus = {};   ///< pixels whose lines are added
    std::vector<planes::MaskWord> minus = {};  ///< and taken away
    std::vector<planes::MaskWord> words = {};  ///< the mask itself
};

/// `words` are in ascending blocks.
LineMask line_mask(std::span<planes::MaskWord const> words, planes::Grid grid);

}  // namespace sluice::lines

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
    /// The same for units that have no totals: these are added,
    std::vector<planes::MaskWord> words = {};
    std::vector<planes::MaskWord> less = {};  ///< and these taken away
};

/// `words` are in ascending blocks.
LineMask line_mask(std::span<planes::MaskWord const> words, planes::Grid grid);

/// What a mask counts more than another one, modulo 2^32. Both are in ascending blocks.
LineMask difference(std::span<planes::MaskWord const> words,
                    std::span<planes::MaskWord const> before);

/// How many pixels' lines are looked at, totals counted as lines.
index lines_of(LineMask const& mask);

}  // namespace sluice::lines

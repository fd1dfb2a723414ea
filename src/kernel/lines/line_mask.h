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

/// Calls act(block, bits of a, bits of b) for the blocks of two masks, which are ascending.
template <class F>
void each_of_both(std::span<planes::MaskWord const> a, std::span<planes::MaskWord const> b,
                  F&& act) {
    auto x = a.begin(), y = b.begin();
    while (x != a.end() || y != b.end()) {
        bool const of_a = y == b.end() || (x != a.end() && x->block <= y->block);
        bool const of_b = x == a.end() || (y != b.end() && y->block <= x->block);
        act(of_a ? x->block : y->block, of_a ? x->bits : 0, of_b ? y->bits : 0);
        x += of_a, y += of_b;
    }
}

/// What a mask counts more than another one, modulo 2^32. Both are in ascending blocks.
LineMask difference(std::span<planes::MaskWord const> words,
                    std::span<planes::MaskWord const> before);

/// How many pixels' lines are looked at, totals counted as lines.
index lines_of(LineMask const& mask);

}  // namespace sluice::lines

// Gaps: bad pixels, and what they are filled with before patterns are correlated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::crystal {

/// Good pixels beside a bad one, the nearest in each of four directions; fewer at the frame's edge.
/// A fit gives bad pixels no weight: this only keeps them from looking like edges of disks.
class Gaps {
  public:
    Gaps() = default;
    /// `bad` is [row][col], 1: bad; empty: none are.
    Gaps(std::span<std::uint8_t const> bad, index rows, index cols);

    /// Fills a pattern in rows of `pitch` floats.
    void fill(float* pattern, index pitch) const;

  private:
    struct Gap {
        index row, col;
        std::array<std::array<index, 2>, 4> from;
        std::array<float, 4> weights;  ///< 0 where there is none
    };
    std::vector<Gap> gaps_ = {};
};

}  // namespace sluice::crystal

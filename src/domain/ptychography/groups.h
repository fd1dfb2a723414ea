// Groups: which patterns see the same object and probe, in an order that only a seed decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/ptychography.h"
#include "sluice/view.h"

namespace sluice::ptycho {

/// All patterns in random order, cut into groups of `size` (the last ones are one smaller where it
/// does not divide them). Another round has another order.
std::vector<std::vector<index>> random_groups(index patterns, index size, std::uint64_t seed,
                                              index round);

/// The same, where no two patterns of a group are nearer than `reach` pixels in both directions:
/// the colours of a greedy colouring in random order, of at most `size` patterns.
std::vector<std::vector<index>> coloured_groups(std::vector<stem4d::Position> const& positions,
                                                double reach, index size, std::uint64_t seed,
                                                index round);

}  // namespace sluice::ptycho

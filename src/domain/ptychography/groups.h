// Groups: which patterns see the same object and probe, in an order that only a seed decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/view.h"

namespace sluice::ptycho {

/// All patterns in random order, cut into groups of `size` (the last ones are one smaller where it
/// does not divide them). Another round has another order.
std::vector<std::vector<index>> random_groups(index patterns, index size, std::uint64_t seed,
                                              index round);

}  // namespace sluice::ptycho

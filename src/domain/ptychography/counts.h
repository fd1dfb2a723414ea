// Counts: the patterns' numbers in the type they were measured in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// What of a pattern is read, and how: as(T const* first) with T the type of the counts.
template <class Work>
decltype(auto) with_pattern(stem4d::Patterns const& patterns, index j, Work const& work) {
    return std::visit(
        [&](auto const& counts) {
            return work(counts.data() + j * patterns.size * patterns.size);
        },
        patterns.counts);
}

}  // namespace sluice::ptycho

// Whether all contestants give the same answer: asked before anything is timed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contestant.h"
#include "sluice/progress.h"
#include "sluice/view.h"

namespace sluice::bench {

/// Depends on every bit and its place: the sum of all little-endian words of 8 bytes, the last one
/// filled up with zeros, times 1, 3, 5, ... modulo 2^64. Other languages can say it in a line.
std::uint64_t checksum(Bytes bytes);

/// Asks each contestant that has an answer for it. One of ours that differs from the first of its
/// contest is an error; a rival that differs gets a note, and "difference" among its details.
Status compare_answers(std::vector<Contestant>& all, std::vector<std::string>& notes,
                       Progress const& progress = {});

}  // namespace sluice::bench

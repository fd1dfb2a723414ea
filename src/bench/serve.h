// Rounds for another program, which puts them between its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "bench/contestant.h"

namespace sluice::bench {

/// Writes `ready` with the names of all as "jobs", then for every name that comes as a line what
/// its round took: {"job", "seconds", "cpu_seconds"}. Ends with `in`.
Status serve(std::vector<Contestant> const& all, Json ready, std::istream& in, std::ostream& out);

}  // namespace sluice::bench

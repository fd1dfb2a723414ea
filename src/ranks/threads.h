// Ranks that are threads of this process: for tests, and to measure what MPI adds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sluice/communicator.h"

namespace sluice {

/// Calls work(communicator of the rank) on `ranks` threads, and returns when all have returned. A
/// rank that returns while others wait for it ends the program: such work is wrong.
void run_ranks(int ranks, std::function<void(Communicator&)> const& work);

}  // namespace sluice

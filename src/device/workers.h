// Workers: threads that share out the numbers 0 .. n-1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sluice/view.h"

namespace sluice {

/// Calls work(i, worker) for every i in [0, n), each once, with worker in [0, threads). Numbers are
/// handed out in ascending order, `grain` at a time. The threads live as long as the program, and
/// stay awake for a fifth of a millisecond: a call soon after another costs microseconds, a
/// later one the waking of threads, tens of them. Calls from several threads take turns, first
/// come, first served: after some 10 ms a call that others wait for lets them go first, between two
/// numbers, and goes on when it is its turn again. A call from inside work() runs on the calling
/// thread alone.
void parallel_for(index n, int threads, index grain,
                  std::function<void(index i, int worker)> const& work);

/// The same, but worker 0 takes numbers from the front and all others from the back: in calls that
/// follow each other a thread has mostly the same numbers, whose data its caches hold.
void parallel_from_ends(index n, int threads, std::function<void(index i, int worker)> const& work);

}  // namespace sluice

// share_out(): parallel_for() for work that its caller can stop, and that can fail.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "base/run.h"
#include "device/workers.h"

namespace sluice {

/// Hands out one number at a time as long as the run is wanted; null: to the end. work(i, worker)
/// returns nothing, or a Status whose error ends the run.
template <class Work>
void share_out(index n, int threads, Run* run, Work const& work) {
    parallel_for(n, threads, 1, [&](index i, int worker) {
        if (run && !run->wanted()) return;
        if constexpr (std::is_void_v<std::invoke_result_t<Work const&, index, int>>) {
            work(i, worker);
        } else if (Status done = work(i, worker); !done) {
            expects(run);
            run->fail(std::move(done).error(), i);
        }
    });
}

/// The same for work that only its own error stops: the error of the lowest number that has one.
template <class Work>
Status share_out(index n, int threads, Work const& work) {
    Run run;
    share_out(n, threads, &run, work);
    return run.status();
}

}  // namespace sluice

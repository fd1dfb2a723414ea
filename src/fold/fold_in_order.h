// fold_in_order(): the partial results of groups go to someone who wants them one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "fold/fold_part.h"

namespace sluice::fold {

/// Hands each group's partial result to take(group, partial), in the order of the groups and one at
/// a time, on any thread. Nothing is merged, so that a file can take what memory has no room for.
/// Groups that are done before their turn wait, four for each thread at most: then whoever made
/// more waits with them.
template <class S, AnalysisOf<S> A, class Take>
Status fold_in_order(S const& source, A const& analysis, RunOptions const& options,
                     Take const& take) {
    index const most = index{4} * std::max(1, options.threads);
    std::mutex mutex;
    std::condition_variable moved;
    index next = 0;
    bool refused = false;
    std::map<index, typename A::Partial> waiting;
    // Groups are begun in their order, so that the one that all wait for is always in work.
    auto const put = [&](index group, typename A::Partial partial, Run const& run) -> Status {
        std::unique_lock lock(mutex);
        // Nobody tells when a run is stopped.
        while (group >= next + most && !refused && !run.stopped())
            moved.wait_for(lock, std::chrono::milliseconds(5));
        if (refused) return {};
        waiting.emplace(group, std::move(partial));
        for (auto it = waiting.find(next); it != waiting.end() && !run.stopped();
             it = waiting.find(next)) {
            auto own = waiting.extract(it);
            if (Status taken = take(next, std::move(own.mapped())); !taken) {
                refused = true;
                return taken;
            }
            ++next;
            moved.notify_all();
        }
        return {};
    };
    return fold_groups(source, analysis, {0, source.groups()}, options, put);
}

}  // namespace sluice::fold

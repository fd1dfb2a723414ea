// Folding: partial results come in any order, and are merged in the order of their groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "fold/analysis.h"
#include "fold/refuse.h"

namespace sluice::fold {

/// The answer so far: of the first `groups` groups.
template <Analysis A>
struct Snapshot {
    index groups = 0;
    typename A::Result answer;
};

/// Sums of floats depend on the order of addition. Here it is that of the groups, in whatever order
/// they come. Threads may share it. The analysis must outlive it.
template <Analysis A>
class Folding {
  public:
    using Partial = typename A::Partial;

    template <ItemSource S>
    requires AnalysisOf<A, S> Folding(A const& analysis, S const& source)
        : analysis_(analysis),
          groups_(source.groups()),
          total_(analysis.begin({0, items_of(source)})) {}

    /// Takes the partial result of a group; refuses a group that has come, or that does not exist.
    Status add(index group, Partial partial) {
        return add(Range{group, group + 1}, std::move(partial));
    }

    /// The same of several groups, whose results were merged already.
    Status add(Range groups, Partial partial) {
        std::lock_guard const lock(mutex_);
        if (groups.first < merged_ || groups.last > groups_ || groups.count() < 1)
            return refuse_group(groups.first, groups_);
        auto const next = waiting_.lower_bound(groups.first);
        if (next != waiting_.end() && next->first < groups.last)
            return refuse_group(next->first, groups_);
        if (next != waiting_.begin() && std::prev(next)->second.last > groups.first)
            return refuse_group(groups.first, groups_);
        waiting_.emplace(groups.first, Waiting{groups.last, std::move(partial)});
        for (auto it = waiting_.find(merged_); it != waiting_.end(); it = waiting_.find(merged_)) {
            analysis_.merge(total_, it->second.partial);
            merged_ = it->second.last;
            waiting_.erase(it);
        }
        return {};
    }

    /// The same as a fold over the first groups alone; what begin() made room for beyond them is as
    /// begin() made it. Costs a copy of the partial result.
    Snapshot<A> snapshot() const {
        std::unique_lock lock(mutex_);
        index const groups = merged_;
        Partial copy = total_;
        lock.unlock();
        return {groups, analysis_.finish(std::move(copy))};
    }

    /// The answer; refuses while a group is missing. It uses up the partial results.
    Result<typename A::Result> finish() && {
        if (merged_ != groups_) return refuse_missing(merged_, groups_);
        return analysis_.finish(std::move(total_));
    }

  private:
    A const& analysis_;
    index groups_;
    mutable std::mutex mutex_;
    index merged_ = 0;
    Partial total_;
    struct Waiting {
        index last;  ///< behind its last group
        Partial partial;
    };
    std::map<index, Waiting> waiting_;  ///< by the first group
};

}  // namespace sluice::fold

// Problems: what was wrong with what came.
// SPDX-License-Identifier: Apache-2.0
#include "net/problems.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::net {

void Problems::tell(std::string_view what, std::string first, index count) {
    std::lock_guard const lock(mutex_);
    auto it = std::ranges::find(list_, what, &Problem::what);
    if (it == list_.end())
        it = list_.insert(list_.end(), Problem{std::string(what), 0, std::move(first)});
    it->count += count;
}

std::vector<Problem> Problems::list() const {
    std::unique_lock lock(mutex_);
    std::vector<Problem> sorted = list_;
    lock.unlock();
    std::ranges::sort(sorted, {}, &Problem::what);
    return sorted;
}

}  // namespace sluice::net

std::string sluice::text_of(StreamProblem const& problem) {
    if (problem.first.empty()) return fmt::format("{}: {}", problem.what, problem.count);
    return fmt::format("{}: {} (the first: {})", problem.what, problem.count, problem.first);
}

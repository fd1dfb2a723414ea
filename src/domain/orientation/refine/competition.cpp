// Fits what is promising, and keeps the best.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/refine/competition.h"

#include <algorithm>

namespace sluice::orient {
namespace {

// Starts whose logarithm of the odds is so far behind after their first rounds are not right,
// unless they are among the first two.
constexpr double worth_finishing = 15;
constexpr std::size_t least_finished = 2;

}  // namespace

void Competition::operator()(PatternDisks const& disks, std::span<Start const> starts) {
    begun_.clear(), fitted_.clear();
    for (Start const& start : starts) begun_.push_back(fit_.begin(disks, start));
    std::ranges::stable_sort(begun_, std::ranges::greater{}, &Begun::log_odds);
    best_ = 0;
    for (Begun const& begun : begun_) {
        if (fitted_.size() >= least_finished &&
            begun.log_odds < begun_.front().log_odds - worth_finishing)
            break;
        fitted_.push_back(fit_.finish(disks, begun));
        if (fitted_.size() > 1 && !(fitted_.back().log_odds > fitted_[best_].log_odds)) continue;
        best_ = fitted_.size() - 1;
        explained_ = fit_.explained();
        misses_ = fit_.misses();
    }
}

}  // namespace sluice::orient

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
constexpr double same_degrees = 1;
constexpr int most_other_sides = 3;
// Of the best one, in so many directions.
constexpr int tilts = 6;
constexpr double tilt_degrees = 4;

}  // namespace

void Competition::finish(PatternDisks const& disks, Begun const& begun) {
    fitted_.push_back(fit_.finish(disks, begun));
    if (fitted_.size() > 1 && !(fitted_.back().log_odds > fitted_[best_].log_odds)) return;
    best_ = fitted_.size() - 1;
    explained_ = fit_.explained();
    misses_ = fit_.misses();
    other_side_ = fit_.turned_about_plane();
}

bool Competition::is_fitted(Start const& start) const {
    auto const& symmetry = rules_.library.phases[static_cast<std::size_t>(start.phase)].symmetry;
    return std::ranges::any_of(fitted_, [&](Fitted const& f) {
        return f.phase == start.phase && nearness(f.orientation, start.orientation, symmetry) >
                                             std::cos(same_degrees * degree / 2);
    });
}

// The coarse search may have missed what explains the disks as well.
void Competition::try_other_sides(PatternDisks const& disks) {
    for (int i = 0; i < most_other_sides && other_side_ && !is_fitted(*other_side_); ++i)
        finish(disks, fit_.begin(disks, *other_side_));
}

void Competition::try_start(PatternDisks const& disks, Start const& start) {
    if (is_fitted(start)) return;
    Begun const begun = fit_.begin(disks, start);
    if (begun.log_odds > begun_.front().log_odds - worth_finishing) finish(disks, begun);
}

// Coarse scores of crystals whose lattices lie alike differ little.
void Competition::try_alike(PatternDisks const& disks) {
    Fitted const first = fitted_[best_];
    for (auto const& turn : rules_.alike[static_cast<std::size_t>(first.phase)])
        try_start(disks, {0, first.phase, turn * first.orientation});
}

// The likelihood has several hills along a tilt, since disks hardly move.
void Competition::try_tilted(PatternDisks const& disks) {
    Fitted const first = fitted_[best_];
    for (int i = 0; i < tilts; ++i) {
        double const a = 2 * std::numbers::pi * i / tilts;
        Vector3 const axis{std::cos(a), std::sin(a), 0};
        auto const turn = stem4d::rotation_about(axis, tilt_degrees);
        try_start(disks, {0, first.phase, first.orientation * turn});
    }
}

void Competition::operator()(PatternDisks const& disks, std::span<Start const> starts) {
    begun_.clear(), fitted_.clear();
    for (Start const& start : starts) begun_.push_back(fit_.begin(disks, start));
    std::ranges::stable_sort(begun_, std::ranges::greater{}, &Begun::log_odds);
    best_ = 0;
    for (Begun const& begun : begun_) {
        if (fitted_.size() >= least_finished &&
            begun.log_odds < begun_.front().log_odds - worth_finishing)
            break;
        finish(disks, begun);
    }
    if (!rules_.refine) return;
    try_alike(disks);
    try_other_sides(disks);
    try_tilted(disks);
}

}  // namespace sluice::orient

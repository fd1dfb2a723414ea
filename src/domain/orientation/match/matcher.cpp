// Searches, refines and compares, crystal by crystal.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/matcher.h"

#include <algorithm>
#include <limits>

namespace sluice::orient {
namespace {

using stem4d::OrientationReason;

// Candidates nearer to each other refine to the same orientation.
constexpr double candidates_apart = 5;
// Refined orientations nearer to each other are one.
constexpr double answers_apart = 3;

}  // namespace

Match::Match() {
    covariance.fill(std::numeric_limits<double>::quiet_NaN());
}

Matcher::Matcher(MatchRules const& rules)
    : rules_(rules),
      search_(rules.library, rules.kernels, rules.options.exhaustive),
      fit_(rules.library, rules.reader, rules.fit),
      sums_(static_cast<std::size_t>(rules.library.polar.rings() * 2 * most_frequencies)),
      spectrum_(static_cast<std::size_t>(rules.library.polar.spectrum_floats())) {}

float Matcher::score_of(index pattern, Fitted const& fitted) {
    auto const& l = rules_.library;
    excite(l.tables[static_cast<std::size_t>(fitted.phase)], l.ewald, frame_of(fitted.orientation),
           l.options.least_intensity, excited_);
    weight_.resize(excited_.x.size());
    for (std::size_t i = 0; i < excited_.x.size(); ++i)
        weight_[i] = static_cast<float>(
            weight_of(l.options, excited_.x[i], excited_.y[i], excited_.intensity[i]));
    rules_.kernels.spectrum(l.polar.view(),
                            {excited_.x.data(), excited_.y.data(), weight_.data(), excited_.size()},
                            sums_.data(), spectrum_.data());
    return overlap(l.polar, spectrum_.data(), search_.spectrum(pattern));
}

Match Matcher::best_of(index pattern, Candidates const& candidates, std::vector<Miss>* misses) {
    auto const p = static_cast<std::size_t>(pattern);
    distinct(rules_.library, candidates, candidates_apart, rules_.options.candidates, starts_);
    Match out;
    out.reason = OrientationReason::no_match;
    std::vector<Fitted> fitted;
    std::vector<Miss> best_misses;
    std::size_t best = 0;
    for (Start const& start : starts_) {
        fitted.push_back(fit_(disks_[p], start));
        if (fitted.size() > 1 && !(fitted.back().log_odds > fitted[best].log_odds)) continue;
        best = fitted.size() - 1;
        explained_[p] = fit_.explained();
        if (misses) best_misses = fit_.misses();
    }
    Evidence& e = out.evidence;
    e.disks = static_cast<std::int32_t>(disks_[p].size());
    if (fitted.empty()) return out;
    Fitted const& f = fitted[best];
    auto const& symmetry = rules_.library.phases[static_cast<std::size_t>(f.phase)].symmetry;
    Fitted const* second = nullptr;
    for (Fitted const& other : fitted) {
        bool const same =
            other.phase == f.phase && nearness(other.orientation, f.orientation, symmetry) >
                                          std::cos(answers_apart * degree / 2);
        if (!same && (!second || other.log_odds > second->log_odds)) second = &other;
    }
    out.phase = static_cast<std::int32_t>(f.phase);
    out.orientation = f.orientation;
    out.covariance = f.covariance;
    e.score = score_of(pattern, f);
    e.log_odds = static_cast<float>(f.log_odds);
    if (second) {
        e.second_score = score_of(pattern, *second);
        e.second_log_odds = static_cast<float>(second->log_odds);
    }
    e.residual = static_cast<float>(f.residual);
    e.explained = static_cast<float>(f.explained);
    e.matched = static_cast<std::int32_t>(f.disks);
    e.missing = static_cast<std::int32_t>(f.missing);
    e.place_chi2 = static_cast<float>(f.place_chi2);
    e.intensity_chi2 = static_cast<float>(f.intensity_chi2);
    e.tilt_error = static_cast<float>(
        std::sqrt(std::max({f.covariance[0], f.covariance[1], f.covariance[2]})));
    e.stretch = static_cast<float>(f.stretch);
    e.stretch_error = static_cast<float>(std::sqrt(f.stretch_variance));
    if (misses) misses->insert(misses->end(), best_misses.begin(), best_misses.end());
    return out;
}

void Matcher::operator()(std::span<index const> patterns, std::vector<std::vector<Match>>& out,
                         std::vector<Miss>* misses) {
    out.assign(patterns.size(), {});
    disks_.resize(patterns.size());
    found_.resize(patterns.size());
    explained_.resize(patterns.size());
    std::vector<std::uint8_t> more(patterns.size(), 1);
    for (std::size_t i = 0; i < patterns.size(); ++i) rules_.reader.read(patterns[i], disks_[i]);
    for (index grain = 0; grain < rules_.options.grains; ++grain) {
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            if (disks_[i].size() >= rules_.options.least_disks && more[i]) continue;
            more[i] = 0;
            if (grain == 0) {
                Match none;
                none.evidence.disks = static_cast<std::int32_t>(disks_[i].size());
                none.reason =
                    disks_[i].size() > 0 ? OrientationReason::too_few : OrientationReason::no_disks;
                out[i].push_back(none);
            }
            disks_[i].clear();
        }
        search_(disks_, found_);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            if (!more[i]) continue;
            Match m = best_of(static_cast<index>(i), found_[i], misses);
            if (m.phase >= 0) {
                Belief const b = believe(m.evidence);
                m.reason = b.reason;
            }
            out[i].push_back(m);
            more[i] = m.reason == OrientationReason::indexed;
            if (more[i]) disks_[i].drop(explained_[i]);
        }
    }
}

}  // namespace sluice::orient

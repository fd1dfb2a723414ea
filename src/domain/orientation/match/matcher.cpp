// Searches, refines and compares, crystal by crystal.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/matcher.h"

#include <algorithm>
#include <limits>

namespace sluice::orient {
namespace {

using stem4d::OrientationReason;

// Refined orientations nearer to each other, in degrees, are one.
constexpr double answers_apart = 3;

void put(Fitted const& f, double tolerance, Match& out) {
    Evidence& e = out.evidence;
    out.phase = static_cast<std::int32_t>(f.phase);
    out.orientation = f.orientation;
    out.covariance = f.covariance;
    e.log_odds = static_cast<float>(f.log_odds);
    e.residual = static_cast<float>(f.residual);
    e.explained = static_cast<float>(f.explained);
    e.matched = static_cast<std::int32_t>(f.disks);
    e.missing = static_cast<std::int32_t>(f.missing);
    e.visible = static_cast<std::int32_t>(f.visible);
    e.place_chi2 = static_cast<float>(f.place_chi2);
    e.intensity_chi2 = static_cast<float>(f.intensity_chi2);
    double const disks = static_cast<double>(std::max<index>(1, f.disks));
    e.place_rms = static_cast<float>(std::sqrt(f.place_squares / disks));
    e.tolerance = static_cast<float>(tolerance);
    auto const& c = f.covariance;
    e.tilt_error = static_cast<float>(std::sqrt(std::max({c[0], c[1], c[2]})));
    e.stretch = static_cast<float>(f.stretch);
    e.stretch_error = static_cast<float>(std::sqrt(f.stretch_variance));
}

void put_second(Fitted const& first, Fitted const& second, stem4d::CrystalSymmetry const& symmetry,
                double others, Evidence& e) {
    e.second_log_odds = static_cast<float>(second.log_odds);
    e.others_log_odds = static_cast<float>(others);
    e.second_matched = static_cast<std::int32_t>(second.disks);
    e.second_explained = static_cast<float>(second.explained);
    double const half = std::acos(nearness(first.orientation, second.orientation, symmetry));
    e.second_degrees = first.phase == second.phase ? static_cast<float>(2 * half / degree) : 180.0F;
}

// Those that are near a better one are left out.
std::vector<Fitted> ranked(std::vector<Fitted> all,
                           std::vector<stem4d::CrystalPhase> const& phases) {
    std::ranges::stable_sort(all, std::ranges::greater{}, &Fitted::log_odds);
    double const near = std::cos(answers_apart * degree / 2);
    std::vector<Fitted> out;
    for (Fitted const& one : all) {
        auto const& symmetry = phases[static_cast<std::size_t>(one.phase)].symmetry;
        if (std::ranges::none_of(out, [&](Fitted const& other) {
                return other.phase == one.phase &&
                       nearness(other.orientation, one.orientation, symmetry) > near;
            }))
            out.push_back(one);
    }
    return out;
}

}  // namespace

Match::Match() {
    covariance.fill(std::numeric_limits<double>::quiet_NaN());
}

Matcher::Matcher(MatchRules const& rules)
    : rules_(rules),
      search_(rules.fit.library, rules.kernels, rules.options.exhaustive),
      compete_(rules.fit),
      sums_(static_cast<std::size_t>(rules.fit.library.polar.rings() * 2 * most_frequencies)),
      spectrum_(static_cast<std::size_t>(rules.fit.library.polar.spectrum_floats())) {}

float Matcher::score_of(index pattern, Fitted const& fitted) {
    auto const& l = rules_.fit.library;
    l.excite(fitted.phase, fitted.orientation, excited_);
    weight_.resize(excited_.x.size());
    for (std::size_t i = 0; i < excited_.x.size(); ++i)
        weight_[i] = static_cast<float>(
            weight_of(l.options, excited_.x[i], excited_.y[i], excited_.intensity[i]));
    rules_.kernels.spectrum(l.polar.view(),
                            {excited_.x.data(), excited_.y.data(), weight_.data(), excited_.size()},
                            sums_.data(), spectrum_.data());
    return overlap(l.polar, spectrum_.data(), search_.spectrum(pattern));
}

Match Matcher::best_of(index pattern) {
    auto const p = static_cast<std::size_t>(pattern);
    auto const& library = rules_.fit.library;
    Match out;
    out.reason = OrientationReason::no_match;
    out.evidence.disks = static_cast<std::int32_t>(disks_[p].size());
    out.evidence.crystals = static_cast<std::int32_t>(rules_.options.grains);
    distinct(library, found_[p], rules_.options.candidates, starts_);
    if (starts_.empty()) return out;
    compete_(disks_[p], starts_);
    Fitted const& f = compete_.best();
    auto const& symmetry = library.phases[static_cast<std::size_t>(f.phase)].symmetry;
    put(f, rules_.fit.tolerance, out);
    out.evidence.score = score_of(pattern, f);
    Fitted const* second = nullptr;
    double const near = std::cos(answers_apart * degree / 2);
    double all = 0;
    for (Fitted const& other : compete_.fitted()) {
        if (other.phase == f.phase && nearness(other.orientation, f.orientation, symmetry) > near)
            continue;
        // None is better than the best one: the sum does not overflow.
        all += std::exp(other.log_odds - f.log_odds);
        // Correlations know nothing of errors that are guessed: a second witness.
        out.evidence.second_score = std::max(out.evidence.second_score, score_of(pattern, other));
        if (!second || other.log_odds > second->log_odds) second = &other;
    }
    if (second) put_second(f, *second, symmetry, f.log_odds + std::log(all), out.evidence);
    out.reason = believe(out.evidence, rules_.options.least_probability).reason;
    return out;
}

void Matcher::begin(std::span<index const> patterns, std::vector<std::vector<Match>>& out) {
    out.assign(patterns.size(), {});
    disks_.resize(patterns.size());
    found_.resize(patterns.size());
    more_.assign(patterns.size(), 1);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        PatternDisks& disks = disks_[i];
        rules_.fit.reader.read(patterns[i], disks);
        if (disks.size() >= rules_.options.least_disks) continue;
        more_[i] = 0;
        Match none;
        none.evidence.disks = static_cast<std::int32_t>(disks.size());
        none.reason = disks.size() > 0 ? OrientationReason::too_few : OrientationReason::no_disks;
        out[i].push_back(none);
        disks.clear();
    }
}

Match Matcher::first_of(index pattern, std::vector<Fitted>& candidates) {
    std::vector<std::vector<Match>> out;
    begin({&pattern, 1}, out);
    candidates.clear();
    if (!more_[0]) return out[0][0];
    search_(disks_, found_);
    Match best = best_of(0);
    if (best.phase >= 0) candidates = ranked(compete_.fitted(), rules_.fit.library.phases);
    return best;
}

void Matcher::operator()(std::span<index const> patterns, std::vector<std::vector<Match>>& out) {
    begin(patterns, out);
    for (index grain = 0; grain < rules_.options.grains; ++grain) {
        if (std::ranges::none_of(more_, [](std::uint8_t m) { return m != 0; })) return;
        search_(disks_, found_);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            if (!more_[i]) continue;
            out[i].push_back(best_of(static_cast<index>(i)));
            more_[i] = 0;
            if (out[i].back().phase >= 0) disks_[i].drop(compete_.explained());
            if (out[i].back().reason != OrientationReason::no_match &&
                disks_[i].size() >= rules_.options.least_disks)
                more_[i] = 1;
            else
                disks_[i].clear();
        }
    }
}

}  // namespace sluice::orient

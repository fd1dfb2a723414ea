// Medians of misses over a sample of patterns.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/model_errors.h"

#include <algorithm>
#include <functional>

#include "device/share_out.h"
#include "domain/crystal/median.h"

namespace sluice::orient {
namespace {

constexpr index patterns_looked_at = 256, piece = 32;
// Until something is known: the error of a place, 1/ångström, and of the root of an intensity.
constexpr double first_place = 0.008, first_part = 0.4;
// An exact model would make weights without bounds.
constexpr double least_place = 2e-4, least_part = 0.01;
// Medians of chi2 with two degrees of freedom and with one.
constexpr double median_of_two = 1.386294361, median_of_one = 0.454936423;

// Evenly out of those with disks enough to tell.
std::vector<index> sample(MatchRules const& rules) {
    std::vector<index> some, out;
    PatternDisks disks;
    for (index p = 0; p < rules.reader.patterns(); ++p) {
        rules.reader.read(p, disks);
        if (disks.size() >= std::max<index>(6, rules.options.least_disks)) some.push_back(p);
    }
    index const n = std::min<index>(std::ssize(some), patterns_looked_at);
    for (index i = 0; i < n; ++i)
        out.push_back(some[static_cast<std::size_t>(i * std::ssize(some) / n)]);
    return out;
}

// The number at which the median of ratios(it) is `median`; ratios fall as it grows.
double where_median_is(double median, double least, double most,
                       std::function<double(Miss const&, double)> const& ratio,
                       std::vector<Miss> const& misses) {
    auto const middle = [&](double x) {
        std::vector<double> all;
        for (Miss const& m : misses) all.push_back(ratio(m, x));
        return crystal::median(std::move(all));
    };
    if (middle(least) <= median) return least;
    for (int i = 0; i < 40; ++i) {
        double const x = std::sqrt(least * most);
        (middle(x) > median ? least : most) = x;
    }
    return std::sqrt(least * most);
}

std::vector<Miss> misses_of(MatchRules const& rules, std::vector<index> const& patterns,
                            int threads, Run& work) {
    index const pieces = (std::ssize(patterns) + piece - 1) / piece;
    std::vector<std::vector<Miss>> found(static_cast<std::size_t>(pieces));
    share_out(pieces, threads, &work, [&](index i, int) {
        Matcher matcher(rules);
        std::vector<std::vector<Match>> matches;
        auto const from = static_cast<std::size_t>(i * piece);
        matcher(
            std::span(patterns).subspan(from, std::min<std::size_t>(piece, patterns.size() - from)),
            matches, &found[static_cast<std::size_t>(i)]);
    });
    std::vector<Miss> all;
    for (auto const& some : found) all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace

Result<FitRules> measured_errors(MatchRules const& rules, stem4d::Options const& run) {
    MatchRules own = rules;
    own.options.grains = 1;
    double place = rules.options.place_error, part = rules.options.intensity_error;
    bool const place_open = place == 0, part_open = part == 0;
    if (place_open) place = first_place;
    if (part_open) part = first_part;
    auto const patterns = sample(rules);
    Run work([&](index) { return !run.progress || run.progress(0, 1); }, "there is no map");
    for (int round = 0; round < 2 && (place_open || part_open); ++round) {
        own.fit.place_variance = place * place;
        own.fit.intensity_part = part;
        auto const misses = misses_of(own, patterns, run.device.host().threads(), work);
        SLUICE_CHECK(work.check());
        if (misses.empty()) break;
        if (place_open)
            place = where_median_is(
                median_of_two, least_place, rules.options.tolerance,
                [](Miss const& m, double x) { return m.square / (m.own_variance + x * x); },
                misses);
        if (part_open)
            part = where_median_is(
                median_of_one, least_part, 2,
                [](Miss const& m, double x) {
                    return m.root * m.root / (m.own_root_variance + square(x * m.model));
                },
                misses);
    }
    FitRules out = rules.fit;
    out.place_variance = place * place;
    out.intensity_part = part;
    return out;
}

}  // namespace sluice::orient

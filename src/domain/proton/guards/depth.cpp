// What steps of depth and range do to the range, depth dose and LET: a few lines marched twice.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "domain/proton/guards/guards.h"
#include "domain/proton/guards/lines.h"

namespace sluice::proton::guards {
namespace {

/// How far a march on one grid is from one on another.
struct Distance {
    double range = 0, fall_off = 0;  ///< mm of water
    double dose = 0;                 ///< part: the L2 norm of the difference over that of the dose
    double plateau = 0;              ///< part: the most of a plane before 0.7 of the range
    double let = 0;                  ///< part: the most of a plane with enough dose

    void take_worst(Distance const& o) {
        range = std::max(range, o.range);
        fall_off = std::max(fall_off, o.fall_off);
        dose = std::max(dose, o.dose);
        plateau = std::max(plateau, o.plateau);
        let = std::max(let, o.let);
    }
};

Distance distance(Line const& a, Line const& b) {
    Distance d;
    auto const ma = bragg_metrics({a.water, a.dose}), mb = bragg_metrics({b.water, b.dose});
    if (ma && mb && std::isfinite(ma->r80) && std::isfinite(mb->r80)) {
        d.range = std::abs(ma->r80 - mb->r80);
        if (std::isfinite(ma->fall_off) && std::isfinite(mb->fall_off))
            d.fall_off = std::abs(ma->fall_off - mb->fall_off);
    }
    double sum = 0, square = 0, most = 0;
    for (std::size_t k = 0; k < b.energy.size(); ++k) {
        sum += std::pow(a.energy[k] - b.energy[k], 2);
        square += b.energy[k] * b.energy[k];
        most = std::max(most, b.energy[k]);
    }
    d.dose = square > 0 ? std::sqrt(sum / square) : 0;
    for (std::size_t k = 0; k < b.energy.size(); ++k)
        if (b.energy[k] > 0.2 * most && b.let[k] > 0)
            d.let = std::max(d.let, std::abs(a.let[k] / b.let[k] - 1));
    double done = 0, all = std::accumulate(b.energy.begin(), b.energy.end(), 0.0);
    for (std::size_t k = 0; k < b.energy.size() && done < 0.5 * all; ++k) {
        done += b.energy[k];
        // Air counts too: the unspread rows of a beam lose a part of its small shifts there.
        if (b.energy[k] > 1e-6 * most)
            d.plateau = std::max(d.plateau, std::abs(a.energy[k] / b.energy[k] - 1));
    }
    return d;
}

Distance distance(std::vector<Line> const& a, std::vector<Line> const& b) {
    Distance d;
    for (std::size_t i = 0; i < a.size(); ++i) d.take_worst(distance(a[i], b[i]));
    return d;
}

/// The words for one of the distances.
struct Rule {
    std::string_view name, unit, what;
    double Distance::*part;
    double factor;  ///< to the unit
    double limit, certain;
};

std::array<Rule, 5> rules_for(double range) {
    double const mm = std::min(0.2, 0.01 * range);
    return {
        {{"range", "mm", "the range is off", &Distance::range, 1, mm, 5 * mm},
         {"fall_off", "mm", "the fall-off is off", &Distance::fall_off, 1, mm, 5 * mm},
         {"plateau_dose", "%", "the dose before the peak is off", &Distance::plateau, 100, 1, 30},
         {"depth_dose", "%", "the depth dose is off (L2 norm)", &Distance::dose, 100, 3, 20},
         {"let_dose", "%", "the LET (by dose, of primary protons) is off", &Distance::let, 100, 10,
          50}}};
}

/// A finer grid, and how it is written.
struct Finer {
    index planes;
    double range;
};

/// The key to change, and how it is written.
struct Wish {
    std::vector<Rule> rules;  ///< all that are broken
    double dz, path, range;   ///< the grid's: planes, along the beam, rows
    bool own_range;           ///< rows that the configuration names
    index finest;             ///< planes for one of the grid's, of what it is compared with
};

bool enough(Distance const& d, std::vector<Rule> const& rules) {
    return std::ranges::all_of(
        rules, [&](Rule const& r) { return r.factor * d.*(r.part) < 0.6 * r.limit; });
}

// The cheapest grid that is near enough, as lines to change.
void advise(Lines const& lines, std::vector<Line> const& best, Wish const& wish, Guard& g) {
    std::vector<Finer> tries = {{1, 0.5}, {1, 0.25}};
    if (wish.finest > 1) tries = {{1, 0.5}, {2, 1}, {2, 0.5}, {1, 0.25}, {4, 0.25}};
    auto const good = std::ranges::find_if(tries, [&](Finer const& f) {
        auto const there = lines.march_in(f.planes, f.range);
        return there && enough(distance(*there, best), wish.rules);
    });
    bool const last = good == tries.end() || good == tries.end() - 1;
    Finer const& found = last ? tries.back() : *good;
    auto const planes = static_cast<double>(found.planes);
    double const range = wish.range * found.range;
    g.key = "grid.range_step";
    g.wanted = fmt::format("{:.3g} mm", range);
    if (found.planes > 1) {
        g.key = "grid.dz";
        g.wanted = fmt::format("{:.3g} mm", wish.dz / planes);
        // Rows follow the planes unless the configuration sets them.
        if (wish.own_range || std::abs(range - wish.path / planes) > 1e-9)
            g.wanted += fmt::format("\", grid.range_step = \"{:.3g} mm", range);
    }
    if (last) g.text += "; a quarter of the steps may not be enough yet";
}

std::vector<Guard> unchecked(Error const& error) {
    if (error.code == Code::cancelled) return {};
    Guard g{.name = "depth_unchecked"};
    g.text = "the error of the steps of depth and range could not be checked: " + error.message;
    return {std::move(g)};
}

}  // namespace

std::vector<Guard> of_depth(Physics const& physics, Phantom const& phantom, Beam const& beam,
                            MarchOptions const& options) {
    // Beyond, a march through finer planes would take as long as the beam's own.
    constexpr index most_planes = 20000;
    index const finest = phantom.planes > most_planes ? 1 : 4;
    Lines const lines(physics, phantom, beam, options);
    auto const best = lines.march_in(finest, 0.25);
    auto const own = best ? lines.march_in(1, 1) : best;
    if (!own) return unchecked(own.error());
    Distance const d = distance(*own, *best);
    double const path = phantom.dz / std::cos(beam.angle);
    bool const own_range = options.range_step > 0;
    Wish wish{{}, phantom.dz, path, own_range ? options.range_step : path, own_range, finest};
    for (Rule const& rule : rules_for(physics.range(beam.energy)))
        if (rule.factor * d.*(rule.part) > rule.limit) wish.rules.push_back(rule);
    std::vector<Guard> out;
    for (Rule const& rule : wish.rules) {
        double const value = rule.factor * d.*(rule.part);
        Guard g{.name = std::string(rule.name),
                .value = value,
                .limit = rule.limit,
                .unit = std::string(rule.unit)};
        g.severity = value > rule.certain ? Severity::refusal : Severity::warning;
        g.text = fmt::format(
            "with planes of {:.3g} mm and rows of range of {:.3g} mm {} by {:.2g} {} ({:g} MeV, "
            "beside {} of a quarter)",
            phantom.dz, wish.range, rule.what, value, rule.unit, beam.energy,
            finest > 1 ? "steps" : "rows");
        out.push_back(std::move(g));
    }
    if (out.empty()) return out;
    advise(lines, *best, wish, out[0]);
    for (Guard& g : out) {
        g.key = out[0].key;
        g.wanted = out[0].wanted;
    }
    return out;
}

}  // namespace sluice::proton::guards

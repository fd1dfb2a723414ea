// What steps of depth and range do to the range, depth dose and LET: a few lines marched twice.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/distance.h"
#include "domain/proton/guards/guards.h"

namespace sluice::proton::guards {
namespace {

Distance distance(std::vector<Line> const& a, std::vector<Line> const& b) {
    Distance d;
    for (std::size_t i = 0; i < a.size(); ++i) d.take_worst(distance(a[i], b[i]));
    return d;
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

// Whose dose it is, and how deep.
std::string where(std::span<Beam const> layers, Rule const& rule, Distance const& d,
                  Phantom const& p) {
    auto const [least, most] = std::ranges::minmax(layers, {}, &Beam::energy);
    std::string text = layers.size() == 1 ? fmt::format("{:g} MeV", most.energy)
                                          : fmt::format("{} layers of {:g} to {:g} MeV",
                                                        layers.size(), least.energy, most.energy);
    if (rule.at != nullptr && d.*(rule.at) >= 0)
        text += fmt::format(", {:.4g} mm deep", (static_cast<double>(d.*(rule.at)) + 0.5) * p.dz);
    return text;
}

std::vector<Guard> unchecked(Error const& error) {
    if (error.code == Code::cancelled) return {};
    Guard g{.name = "depth_unchecked"};
    g.text = "the error of the steps of depth and range could not be checked: " + error.message;
    return {std::move(g)};
}

}  // namespace

std::vector<Guard> of_depth(Physics const& physics, Phantom const& phantom,
                            std::span<Beam const> layers, MarchOptions const& options) {
    // Beyond, a march through finer planes would take as long as the beam's own.
    constexpr index most_planes = 20000;
    index const finest = phantom.planes > most_planes ? 1 : 4;
    Lines const lines(physics, phantom, layers, options);
    Beam const& beam = lines.farthest();
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
            "with planes of {:.3g} mm and rows of range of {:.3g} mm {} by {:.2g} {} ({}, beside "
            "{} "
            "of a quarter)",
            phantom.dz, wish.range, rule.what, value, rule.unit, where(layers, rule, d, phantom),
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

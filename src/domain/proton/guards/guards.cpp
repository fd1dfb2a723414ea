// Guards collected: of a beam, of a ledger.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/marching/check.h"
#include "domain/proton/words.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

Guard of_part(std::string_view name, double part, double most, double certain,
              std::string_view what) {
    Guard g{.name = std::string(name), .value = 100 * part, .limit = 100 * most, .unit = "%"};
    g.severity = part > certain ? Severity::refusal : Severity::warning;
    g.text = fmt::format("{:.2g} % of {}", g.value, what);
    return g;
}

}  // namespace

std::string_view name_of(Severity severity) {
    return config::word_of(severity);
}

std::string sentence(Guard const& g) {
    std::string text = g.text;
    if (g.limit > 0 && g.severity != Severity::note)
        text += fmt::format(" (limit {:.2g}{}{})", g.limit, g.unit.empty() ? "" : " ", g.unit);
    if (g.key.empty()) return text;
    if (g.wanted.empty()) return fmt::format("{}; {}", text, g.key);
    // Counts have no unit, and no quotes.
    if (std::ranges::all_of(g.wanted, [](char c) { return c >= '0' && c <= '9'; }))
        return fmt::format("{}; set {} = {}", text, g.key, g.wanted);
    return fmt::format("{}; set {} = \"{}\"", text, g.key, g.wanted);
}

std::string summary(std::vector<Guard> const& guards) {
    std::string text;
    for (Guard const& g : guards)
        if (g.severity != Severity::note)
            text += fmt::format("{}{} {:.2g}{}{}", text.empty() ? "" : ", ", g.name, g.value,
                                g.unit.empty() ? "" : " ", g.unit);
    return text;
}

std::vector<Guard> guards_of(Physics const& physics, Phantom const& phantom, Beam const& beam,
                             MarchOptions const& options) {
    if (!marching::check(physics, phantom, beam, options)) return {};
    auto out = guards::of_grid(physics, phantom, beam, {.options = options});
    for (Guard& g : guards::of_depth(physics, phantom, {&beam, 1}, options))
        out.push_back(std::move(g));
    return out;
}

std::vector<Guard> guards_after(Config const& c, Ledger const& l) {
    std::vector<Guard> out;
    auto const warn = [&](std::string_view name, double part, double most, double certain,
                          std::string_view what, std::string key = {}) {
        if (!(part > most)) return;
        out.push_back(of_part(name, part, most, certain, what));
        out.back().key = std::move(key);
    };
    constexpr double never = 2;
    Share const rest = l.residual();
    bool const rounded = c.options.precision == Precision::f32;
    warn("residual",
         std::max(std::abs(rest.weight) / l.in.weight, std::abs(rest.energy) / l.in.energy), 1e-4,
         never, "the protons or their energy are not accounted for: do not use this dose",
         rounded ? "compute it with --precision f64; if the difference stays, it is a defect of "
                   "this program: report it with its configuration"
                 : "this is a defect of this program: report it with its configuration");
    // A halo is wider than any grid that is made for its beam.
    warn("sides", (l.left.energy + l.right.energy) / l.in.energy, 2e-2, never,
         "the energy leaves through the sides", "make grid.width larger");
    warn("last_plane", l.end.weight / l.in.weight, 1e-3, never,
         "the protons leave through the last plane", "make grid.depth larger");
    warn("angle_window", l.angles.energy / l.in.energy, 1e-3, never,
         "the energy leaves the window of angles",
         c.dense ? "make dense.angle_window larger" : "make grid.angle_window larger");
    warn("truncated", l.truncated.energy / l.in.energy, 1e-3, never, "the energy was truncated");
    return out;
}

Status refuse(std::vector<Guard> const& guards) {
    std::string text;
    for (Guard const& g : guards)
        if (g.severity == Severity::refusal) text += (text.empty() ? "" : "\n  ") + sentence(g);
    if (text.empty()) return {};
    return Error{Code::invalid_argument, std::move(text)};
}

}  // namespace sluice::proton

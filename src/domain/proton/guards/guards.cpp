// Guards collected: of a beam, of a configuration, of a ledger.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/guards/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "domain/proton/marching/check.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

// A beam of few columns is spread by them, and one that converges has fewest in its focus.
std::optional<Guard> of_columns(Physics const& physics, Phantom const& p, Beam const& b) {
    auto const way = guards::along(physics, p, b, 0);
    double const end = guards::end_of(p, way), limit = 2 * p.dx;
    double least = b.sigma_x, depth = 0;
    auto const look = [&](double z) {
        double const sigma = guards::sigma_at(b, way, z);
        if (sigma < least) std::tie(least, depth) = std::pair(sigma, z);
    };
    constexpr int depths = 14;
    for (int i = 1; i <= depths; ++i) look(end * i / depths);
    // Where the focus would be without scattering, which only widens.
    if (b.covariance < 0)
        look(std::min(end, -b.covariance / std::pow(b.divergence / std::cos(b.angle), 2)));
    if (least >= limit) return {};
    Guard g{.name = "columns", .value = least, .limit = limit, .unit = "mm"};
    g.text = fmt::format(
        "a beam of sigma {:.3g} mm at {:.3g} mm is less than two columns of {:g} mm wide: it is "
        "spread by them",
        least, depth, p.dx);
    // A point is one column wide, which may be meant.
    if (b.sigma_x == 0) {
        g.text += "; give it a sigma_x, or take it for one of a column's width";
        return g;
    }
    if (least < p.dx / 2) g.severity = Severity::refusal;
    g.key = "grid.dx";
    g.wanted = fmt::format("{:.3g} mm", least / 2);
    return g;
}

// Whatever two grids happen to agree in: planes cannot show what is thinner than they are.
std::optional<Guard> of_planes(Physics const& physics, Phantom const& p, Beam const& b) {
    // Straggling's 0.012 r^0.935 cm (Bortfeld 1997), and the beam's own.
    double const spread = std::hypot(0.12 * std::pow(physics.range(b.energy) / 10, 0.935),
                                     b.energy_spread / physics.stopping_power(b.energy));
    double const fall_off = 1.33 * spread;
    if (!(p.dz > fall_off)) return {};
    Guard g{.name = "planes", .value = p.dz, .limit = fall_off, .unit = "mm"};
    g.text = fmt::format(
        "planes of {:g} mm cannot show a fall-off of {:.2g} mm ({:g} MeV): it comes out wider, and "
        "the range is off",
        p.dz, fall_off, b.energy);
    g.key = "grid.dz";
    g.wanted = fmt::format("{:.2g} mm", fall_off / 2);
    return g;
}

// Below, a proton has no direction in the march.
std::optional<Guard> of_low_energy(Physics const& physics, Beam const& b) {
    constexpr double straight = 0.02, most = 0.02;
    double const part = straight / physics.range(b.energy);
    if (!(part > most)) return {};
    Guard g{.name = "low_energy", .value = 100 * part, .limit = 100 * most, .unit = "%"};
    g.severity = part > 0.5 ? Severity::refusal : Severity::warning;
    g.text = fmt::format(
        "protons of {:g} MeV are followed without more scattering over the last {:g} mm, {:.2g} % "
        "of their range, and their straggling is that of higher energies: the model is one for "
        "beams of 10 MeV and more",
        b.energy, straight, g.value);
    return g;
}

// Keeps one of each name: the worst, and says of how many.
void keep_worst(std::vector<Guard>& all, Guard g) {
    auto const same = std::ranges::find(all, g.name, &Guard::name);
    if (same == all.end())
        all.push_back(std::move(g));
    else if (std::pair(g.severity, g.value / g.limit) >
             std::pair(same->severity, same->value / same->limit))
        *same = std::move(g);
}

std::vector<Guard> of_dense(Config const& c, Beam const& beam) {
    std::vector<Guard> out;
    DenseOptions const& o = *c.dense;
    double const step = 2 * o.angle_window / static_cast<double>(std::max<index>(o.angles, 1));
    if (auto g = guards::of_initial_angles(beam, step, o.angle_window, "dense.angle_window"))
        out.push_back(*std::move(g));
    return out;
}

Guard of_part(std::string_view name, double part, double most, double certain,
              std::string_view what) {
    Guard g{.name = std::string(name), .value = 100 * part, .limit = 100 * most, .unit = "%"};
    g.severity = part > certain ? Severity::refusal : Severity::warning;
    g.text = fmt::format("{:.2g} % of {}", g.value, what);
    return g;
}

}  // namespace

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::refusal:
            return "refusal";
    }
    return {};
}

std::string sentence(Guard const& g) {
    std::string text = g.text;
    if (g.limit > 0 && g.severity != Severity::note)
        text += fmt::format(" (limit {:.2g}{}{})", g.limit, g.unit.empty() ? "" : " ", g.unit);
    if (g.key.empty()) return text;
    if (g.wanted.empty()) return fmt::format("{}; {}", text, g.key);
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
    std::vector<Guard> out;
    auto const add = [&](std::optional<Guard> g) {
        if (g) out.push_back(*std::move(g));
    };
    add(of_columns(physics, phantom, beam));
    add(of_low_energy(physics, beam));
    if (options.straggling) add(of_planes(physics, phantom, beam));
    add(guards::of_profile(physics, phantom, beam, options));
    add(guards::of_initial_angles(beam, options.angle_step, options.angle_window,
                                  "grid.angle_window"));
    for (Guard& g : guards::of_depth(physics, phantom, beam, options)) out.push_back(std::move(g));
    return out;
}

std::vector<Guard> guards_before(Config const& c) {
    std::vector<Guard> out = c.guards;
    Physics const physics(c.water);
    std::vector<Guard> of_beams;
    for (Beam const& b : c.beams)
        for (Guard& g : c.dense ? of_dense(c, b) : guards_of(physics, c.phantom, b, c.options))
            keep_worst(of_beams, std::move(g));
    out.insert(out.end(), of_beams.begin(), of_beams.end());
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
    warn("residual",
         std::max(std::abs(rest.weight) / l.in.weight, std::abs(rest.energy) / l.in.energy), 1e-4,
         never,
         "the protons or their energy are not accounted for: a defect of this program; do not use "
         "this dose, and report it with its configuration");
    warn("sides", (l.left.weight + l.right.weight) / l.in.weight, 1e-3, never,
         "the protons leave through the sides", "make grid.width larger");
    warn("last_plane", l.end.weight / l.in.weight, 1e-3, never,
         "the protons leave through the last plane", "make grid.depth larger");
    warn("angle_window", l.angles.energy / l.in.energy, 1e-3, never,
         "the energy leaves the window of angles",
         c.dense ? "make dense.angle_window larger" : "make grid.angle_window larger");
    warn("truncated", l.truncated.energy / l.in.energy, 1e-4, never, "the energy was truncated");
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

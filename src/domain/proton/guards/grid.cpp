// Guards of cells, angles and the lowest energy: what the march and the dense mode share.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "domain/proton/guards/guards.h"

namespace sluice::proton::guards {
namespace {

// A beam of few columns is spread by them, and one that converges has fewest in its focus.
std::optional<Guard> of_columns(Physics const& physics, Phantom const& p, Beam const& b) {
    auto const way = along(physics, p, b, 0);
    double const end = end_of(p, way), limit = 2 * p.dx;
    double least = b.sigma_x, depth = 0;
    auto const look = [&](double z) {
        double const sigma = sigma_at(b, way, z);
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
        g.text += "; give it a sigma_x, or take it as a beam of a column's width";
        return g;
    }
    if (least < p.dx / 2) g.severity = Severity::refusal;
    g.key = "grid.dx";
    g.wanted = fmt::format("{:.3g} mm", least / 2);
    return g;
}

// Planes cannot show details thinner than they are, even if two grids happen to agree.
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

// Below it, a proton has no direction in the march, and stays in place in the dense mode.
std::optional<Guard> of_low_energy(Physics const& physics, Beam const& b, Mode const& mode) {
    constexpr double straight = 0.02, most = 0.02;
    double const end = mode.dense ? physics.range(mode.dense->energy_min) : straight;
    double const part = end / physics.range(b.energy);
    if (!(part > most)) return {};
    Guard g{.name = "low_energy", .value = 100 * part, .limit = 100 * most, .unit = "%"};
    g.severity = part > 0.5 ? Severity::refusal : Severity::warning;
    if (mode.dense) {
        g.text = fmt::format(
            "protons of {:g} MeV are followed down to {:g} MeV, and leave the rest of their energy "
            "in one place: "
            "the last {:.2g} mm, {:.2g} % of their range",
            b.energy, mode.dense->energy_min, end, g.value);
        g.key = "make dense.energy_min smaller";
        return g;
    }
    g.text = fmt::format(
        "protons of {:g} MeV are followed without more scattering over the last {:g} mm, {:.2g} % "
        "of their range, and their straggling is that of higher energies: the model is made for "
        "beams of 10 MeV and more",
        b.energy, straight, g.value);
    return g;
}

}  // namespace

std::vector<Guard> of_grid(Physics const& physics, Phantom const& phantom, Beam const& beam,
                           Mode const& mode) {
    std::vector<Guard> out;
    auto const add = [&](std::optional<Guard> g) {
        if (g) out.push_back(*std::move(g));
    };
    add(of_columns(physics, phantom, beam));
    add(of_low_energy(physics, beam, mode));
    if (mode.options.straggling) add(of_planes(physics, phantom, beam));
    add(of_profile(physics, phantom, beam, mode));
    add(of_initial_angles(beam, mode));
    return out;
}

}  // namespace sluice::proton::guards

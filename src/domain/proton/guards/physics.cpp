// Where the physics of a result does not add up.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/guards/guards.h"
#include "sluice/proton_config.h"

namespace sluice::proton {
namespace {

Guard warning(std::string_view name, double part, double limit, std::string text) {
    return {.name = std::string(name),
            .value = 100 * std::abs(part),
            .limit = 100 * limit,
            .unit = "%",
            .severity = Severity::warning,
            .text = std::move(text)};
}

}  // namespace

// As a dose: in a gas a little energy is a high one.
std::vector<Unexplained> unexplained_by_plane(MarchResult const& r) {
    if (r.unexplained.empty()) return {};
    auto const dose = [&](std::vector<double> const& energy, std::size_t i) {
        double const density = r.density.empty() ? 1 : static_cast<double>(r.density[i]);
        return density > 0 ? energy[i] / density : 0;
    };
    double most = 0;
    for (std::size_t i = 0; i < r.deposit.size(); ++i) most = std::max(most, dose(r.deposit, i));
    std::vector<Unexplained> out;
    for (index k = 0; k < r.planes; ++k) {
        Unexplained worst{0, (static_cast<double>(k) + 0.5) * r.dz, r.x0 + r.dx / 2};
        for (index x = 0; x < r.columns && most > 0; ++x) {
            double const part =
                dose(r.unexplained, static_cast<std::size_t>(k * r.columns + x)) / most;
            if (!(std::abs(part) > std::abs(worst.part))) continue;
            worst.part = part;
            worst.x = r.x0 + (static_cast<double>(x) + 0.5) * r.dx;
        }
        out.push_back(worst);
    }
    return out;
}

Unexplained worst_unexplained(MarchResult const& r) {
    auto const planes = unexplained_by_plane(r);
    if (planes.empty()) return {};
    return *std::ranges::max_element(planes, {},
                                     [](Unexplained const& u) { return std::abs(u.part); });
}

std::vector<Guard> guards_after(Config const& config, MarchResult const& r) {
    std::vector<Guard> out = guards_after(config, r.ledger);
    constexpr double most_dose = most_unexplained, most_place = 0.03, most_angle = 0.15;
    constexpr double most_range = 0.05;
    if (Unexplained const u = worst_unexplained(r); std::abs(u.part) > most_dose) {
        out.push_back(warning(
            "column_dose", u.part, most_dose,
            fmt::format("{:.4g} mm deep at x = {:.4g} mm is {:.2g} % of the highest dose {} than "
                        "stopping power and the protons there make",
                        u.depth, u.x, 100 * std::abs(u.part), u.part > 0 ? "more" : "less")));
        out.back().key = "make grid.dz smaller";
    }
    auto const beside = [&](std::string_view name, BesideTheory const& off, double limit,
                            std::string_view what) {
        if (!(std::abs(off.part) > limit)) return;
        out.push_back(warning(
            name, off.part, limit,
            fmt::format("{} {:.2g} % {} {:.4g} mm deep than Fermi and Eyges have it", what,
                        100 * std::abs(off.part), off.part > 0 ? "wider" : "narrower", off.depth)));
        out.back().key = "make grid.angle_window larger, grid.angle_step and grid.dx smaller";
    };
    beside("spread", r.place_off, most_place, "the beam is");
    beside("angle_spread", r.angle_off, most_angle, "the spread of angles is");
    if (BesideTheory const& off = r.range_off; std::abs(off.part) > most_range) {
        out.push_back(warning(
            "range_spread", off.part, most_range,
            fmt::format("what is left of ranges {:.4g} mm deep is spread {:.2g} % {} than the "
                        "beam's energies and straggling spread it",
                        off.depth, 100 * std::abs(off.part), off.part > 0 ? "wider" : "less")));
        out.back().key = "make grid.range_step and grid.dz smaller";
    }
    return out;
}

}  // namespace sluice::proton

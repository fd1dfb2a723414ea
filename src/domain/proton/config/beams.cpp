// Beams out of the tables of a configuration.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/beams.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace sluice::proton {

Result<Beam> beam_of(BeamKeys const& k) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    for (double const v : {k.energy, k.energy_spread, k.x, k.sigma_x, k.angle, k.divergence,
                           k.correlation, k.weight})
        if (!std::isfinite(v)) return bad(fmt::format("a beam with a {}", v));
    Beam b;
    b.energy = k.energy;
    b.energy_spread = k.energy_spread;
    b.x = k.x;
    b.sigma_x = k.sigma_x;
    b.angle = k.angle;
    b.divergence = k.divergence;
    b.weight = k.weight;
    if (b.energy < 1 || b.energy > 300)
        return bad(fmt::format("an energy of {} MeV; give 1 to 300", b.energy));
    if (b.energy_spread < 0 || b.sigma_x < 0 || b.divergence < 0)
        return bad(
            fmt::format("an energy spread, sigma_x or divergence below 0 ({} MeV, {} mm, {} "
                        "rad); give 0 or more",
                        b.energy_spread, b.sigma_x, b.divergence));
    if (std::abs(k.correlation) > 1)
        return bad(fmt::format("a correlation of {}; give -1 to 1", k.correlation));
    if (b.weight <= 0) return bad(fmt::format("a weight of {}; give more than 0", b.weight));
    b.covariance = k.correlation * b.sigma_x * b.divergence;
    return b;
}

namespace {

Result<Beam> read_beam(Table table) {
    BeamKeys keys;
    SLUICE_CHECK(read_fields(table, beam_fields(), keys));
    SLUICE_CHECK(table.nothing_else());
    auto b = beam_of(keys);
    if (!b) return table.error(b.error().message);
    return b;
}

Result<std::vector<Beam>> read_list(Table table, std::string const& folder) {
    BeamList list;
    SLUICE_CHECK(read_fields(table, beam_list_fields(), list));
    SLUICE_CHECK(table.nothing_else());
    if (folder.empty())
        return table.error(
            fmt::format("beams.file '{}' lies beside the configuration's file, and this "
                        "configuration has none; write it into a file",
                        list.file));
    return read_beam_list((std::filesystem::path(folder) / list.file).lexically_normal());
}

}  // namespace

Result<BeamTables> read_beams(Table& root, std::string const& folder) {
    BeamTables all;
    SLUICE_TRY(toml::value const* const beams, table_at(root, "beam", true));
    SLUICE_TRY(toml::value const* const list, table_at(root, "beams", false));
    SLUICE_TRY(toml::value const* const sweep, table_at(root, "sweep", false));
    SLUICE_TRY(toml::value const* const sobps, table_at(root, "sobp", true));
    if (!beams && !list && !sweep && !sobps)
        return root.error(
            "beam is missing; begin one with [[beam]] (or a list of them with "
            "[beams], a [sweep], a [[sobp]])");
    std::string const& file = root.file();
    if (beams)
        for (toml::value const& b : beams->as_array()) {
            SLUICE_TRY(all.beams.emplace_back(), read_beam(Table(file, b, "beam")));
        }
    if (list) {
        SLUICE_TRY(auto const more, read_list(Table(file, *list, "beams"), folder));
        all.beams.insert(all.beams.end(), more.begin(), more.end());
    }
    if (sweep) {
        SLUICE_TRY(auto const more, read_sweep(file, *sweep));
        all.beams.insert(all.beams.end(), more.begin(), more.end());
        all.sweep = true;
    }
    if (sobps)
        for (toml::value const& s : sobps->as_array()) {
            SLUICE_TRY(all.plans.emplace_back(), read_sobp(Table(file, s, "sobp")));
        }
    return all;
}

}  // namespace sluice::proton

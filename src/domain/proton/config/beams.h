// Beams out of tables, lists and sweeps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// What a beam is given by.
struct BeamKey {
    std::string_view name;
    std::optional<Dimension> dimension;  ///< empty: a number without a unit
    std::string_view column;             ///< its name with the usual unit
    double usual = 0;
    bool needed = false;
};
constexpr std::array<BeamKey, 8> beam_keys = {{
    {"energy", Dimension::energy, "energy_MeV", 0, true},
    {"energy_spread", Dimension::energy, "energy_spread_MeV"},
    {"x", Dimension::length, "x_mm"},
    {"sigma_x", Dimension::length, "sigma_x_mm", 0, true},
    {"angle", Dimension::angle, "angle_deg"},
    {"divergence", Dimension::angle, "divergence_mrad"},
    {"correlation", std::nullopt, "correlation"},
    {"weight", std::nullopt, "weight", 1},
}};

/// A number for each of the keys: MeV, mm and radians.
using BeamNumbers = std::array<double, beam_keys.size()>;
BeamNumbers usual_beam();
/// Or what is wrong with them, without a place.
Result<Beam> beam_of(BeamNumbers const& numbers);

/// The keys of a table, which may have others.
Result<BeamNumbers> read_beam_keys(Table& table, bool with_energy);

/// All combinations of what each key of a [sweep] is to be.
Result<std::vector<Beam>> read_sweep(std::string const& file, toml::value const& sweep);

/// The plan of a [[sobp]].
Result<SobpPlan> read_sobp(Table sobp);

/// The beams of all tables, and the plans that are not beams yet. Lists are files of the folder;
/// without one they cannot be read.
struct BeamTables {
    std::vector<Beam> beams;
    std::vector<SobpPlan> plans;
    bool sweep = false;
};
Result<BeamTables> read_beams(Table& root, std::string const& folder);

/// As parse_config() does, but without the beams of plans, which take marches.
Result<Config> parse_unspread(std::string const& text, std::string const& name);

}  // namespace sluice::proton

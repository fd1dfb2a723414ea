// Beams out of tables, lists and sweeps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/config/beam_fields.h"
#include "domain/proton/config/keys.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// Of a sweep, and of a list.
constexpr std::size_t most_beams = 100000;

/// The beam of these keys, or what is wrong with them, without a place.
Result<Beam> beam_of(BeamKeys const& keys);

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

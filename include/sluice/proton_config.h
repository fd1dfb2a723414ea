// A beam, a phantom and how to march it, out of a TOML file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/proton_dense.h"
#include "sluice/proton_guards.h"
#include "sluice/proton_sobp.h"

namespace sluice::proton {

/// The steps of a grid.
struct Steps {
    double dz = 0, range = 0, dx = 0;  ///< mm
    double angle = 0;                  ///< radians
};

/// Another grid than the file's.
struct Regrid {
    Steps steps;
    double depth = 0, width = 0;  ///< mm
};

struct Config {
    WaterTable water = WaterTable::icru90;
    Phantom phantom;
    std::vector<Beam> beams;  ///< of all tables, those of spread-out peaks last
    bool sweep = false;       ///< beams of a sweep are to be compared, not to be added up
    std::vector<Sobp> sobps = {};
    MarchOptions options;
    /// Of the dense mode, if it is asked for; physics and splitting are those of `options`.
    std::optional<DenseOptions> dense;
    std::vector<std::string> assumed;  ///< of an image: what a reader of the results has to know
    std::vector<Guard> guards;         ///< what the reader found: media that moved, images
};

/// Reads a file (docs/guide/proton.md has its keys). Every quantity has its unit, as in "150 MeV".
/// Errors name the file, the line and what it could have been: unknown keys, missing or impossible
/// units, media that lie outside, a beam that needs more depth than there is to stop.
/// The files that [ct] names are relative to its folder. Layers of a spread-out peak are marched on
/// `device`, which is then that of the options; `progress` counts them.
Result<Config> read_config(std::string const& path, Device const& device = Device::cpu(),
                           Progress const& progress = {});
Result<Config> read_config(std::string const& path, Regrid const& regrid);
/// A text, which errors call `name`; one with [ct] needs the folder of its files.
Result<Config> parse_config(std::string const& text, std::string const& name,
                            std::string const& folder = {}, Progress const& progress = {});
Steps steps_of(Config const& config);

/// Beams out of lines of numbers with commas between, under a header of names with units
/// (energy_MeV, sigma_x_mm ...); lines that begin with # are skipped.
Result<std::vector<Beam>> read_beam_list(std::string const& path);
Result<std::vector<Beam>> parse_beam_list(std::string_view text, std::string const& name);

}  // namespace sluice::proton

// The settings of a reconstruction by their names: out of TOML files, one by one, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sluice/ptychography.h"

namespace sluice::stem4d {

/// Options from TOML: their names at the top (modes, slices, seed ...), and a [[stage]] for each
/// stage. What is not named keeps its usual value. `name` stands for the text in errors, which
/// name the line. Names are those of PtychographyOptions and PtychographyStage.
Result<PtychographyOptions> parse_ptychography(std::string const& text, std::string const& name);
Result<PtychographyOptions> read_ptychography(std::string const& path);

/// A setting, and what it is.
struct PtychographySetting {
    std::string name, what;
    bool of_stage = false;
};
std::vector<PtychographySetting> ptychography_settings();

/// Gives a setting a value written as in TOML, without quotes: ("solver", "epie"), ("group", "16"),
/// ("fix_probe", "true"). Fails where there is no such setting, or no such value.
Status set(PtychographyStage& stage, std::string_view name, std::string_view value);
/// Settings of stages are given to all stages.
Status set(PtychographyOptions& options, std::string_view name, std::string_view value);

/// "poisson", as settings call it.
std::string name_of(Likelihood likelihood);

/// All settings in that form: set() restores the same bits from them.
using SettingTexts = std::vector<std::pair<std::string, std::string>>;
SettingTexts settings_of(PtychographyStage const& stage);
/// Without its stages.
SettingTexts settings_of(PtychographyOptions const& options);

}  // namespace sluice::stem4d

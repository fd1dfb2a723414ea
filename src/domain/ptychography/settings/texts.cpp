// Settings as texts, and back.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/nearest.h"
#include "domain/ptychography/settings/fields.h"
#include "domain/ptychography/settings/words.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

namespace {

Error unknown(std::string_view name, bool stages_only) {
    std::vector<std::string> names;
    for (auto const& setting : stem4d::ptychography_settings())
        if (setting.of_stage || !stages_only) names.push_back(setting.name);
    return {Code::invalid_argument, fmt::format("there is no setting '{}'; did you mean '{}'?",
                                                name, nearest(std::string(name), names))};
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

std::vector<PtychographySetting> ptychography_settings() {
    std::vector<PtychographySetting> all;
    for (auto const& field : ptycho::option_fields())
        all.push_back({std::string(field.name), std::string(field.what), false});
    for (auto const& field : ptycho::stage_fields())
        all.push_back({std::string(field.name), std::string(field.what), true});
    return all;
}

Status set(PtychographyStage& stage, std::string_view name, std::string_view value) {
    auto const* const field = config::find_field(ptycho::stage_fields(), name);
    if (!field) return ptycho::unknown(name, true);
    return field->set(stage, value);
}

Status set(PtychographyOptions& options, std::string_view name, std::string_view value) {
    if (auto const* const field = config::find_field(ptycho::option_fields(), name))
        return field->set(options, value);
    if (!config::find_field(ptycho::stage_fields(), name)) return ptycho::unknown(name, false);
    for (auto& stage : options.stages) SLUICE_CHECK(set(stage, name, value));
    return {};
}

std::string name_of(Likelihood likelihood) {
    return std::string(config::word_of(likelihood));
}

SettingTexts settings_of(PtychographyStage const& stage) {
    return config::texts_of(stage, ptycho::stage_fields());
}

SettingTexts settings_of(PtychographyOptions const& options) {
    return config::texts_of(options, ptycho::option_fields());
}

}  // namespace sluice::stem4d

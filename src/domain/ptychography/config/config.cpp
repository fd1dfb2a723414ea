// Options of a reconstruction out of TOML.
// SPDX-License-Identifier: Apache-2.0
#include "config/parse.h"
#include "config/read_fields.h"
#include "domain/ptychography/settings/fields.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

namespace {

Result<PtychographyOptions> read_options(config::Table root) {
    PtychographyOptions options;
    SLUICE_CHECK(config::read_fields(root, option_fields(), options));
    SLUICE_TRY(toml::value const* const stages, config::table_at(root, "stage", true));
    if (!stages) return root.error("there is no stage; begin each with [[stage]]");
    options.stages.clear();
    for (toml::value const& one : stages->as_array()) {
        config::Table table(root.file(), one, "stage");
        PtychographyStage stage;
        SLUICE_CHECK(config::read_fields(table, stage_fields(), stage));
        SLUICE_CHECK(table.nothing_else());
        options.stages.push_back(stage);
    }
    SLUICE_CHECK(root.nothing_else());
    return options;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<PtychographyOptions> parse_ptychography(std::string const& text, std::string const& name) {
    SLUICE_TRY(toml::value const value, config::parse(text, name));
    return ptycho::read_options(config::Table(name, value, ""));
}

Result<PtychographyOptions> read_ptychography(std::string const& path) {
    SLUICE_TRY(std::string const text, config::read_text(path));
    return parse_ptychography(text, path);
}

}  // namespace sluice::stem4d

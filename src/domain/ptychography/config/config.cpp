// Options of a reconstruction out of TOML.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "config/parse.h"
#include "domain/ptychography/settings/fields.h"
#include "sluice/ptychography_settings.h"

namespace sluice::ptycho {

namespace {

// A value as `set` takes it. Whole numbers will do for all numbers.
Result<std::string> text_of(config::Table const& table, toml::value const& value,
                            char const* name) {
    if (value.is_boolean()) return std::string(value.as_boolean() ? "true" : "false");
    if (value.is_integer()) return fmt::format("{}", value.as_integer());
    if (value.is_floating()) return fmt::format("{}", value.as_floating());
    if (value.is_string()) return value.as_string().str;
    return config::wrong(table.file(), value,
                         fmt::format("{} is neither a number, a text, true nor false", name));
}

template <class T, class Fields>
Status read_fields(config::Table& table, Fields fields, T& into) {
    for (auto const& field : fields) {
        toml::value const* const value = table.find(field.name);
        if (!value) continue;
        SLUICE_TRY(std::string const text, text_of(table, *value, field.name));
        if (auto s = stem4d::set(into, field.name, text); !s)
            return config::wrong(table.file(), *value, s.error().message);
    }
    return {};
}

Result<PtychographyOptions> read_options(config::Table root) {
    PtychographyOptions options;
    SLUICE_CHECK(read_fields(root, option_fields(), options));
    SLUICE_TRY(toml::value const* const stages, config::table_at(root, "stage", true));
    if (!stages) return root.error("there is no stage; begin each with [[stage]]");
    options.stages.clear();
    for (toml::value const& one : stages->as_array()) {
        config::Table table(root.file(), one, "stage");
        PtychographyStage stage;
        SLUICE_CHECK(read_fields(table, stage_fields(), stage));
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

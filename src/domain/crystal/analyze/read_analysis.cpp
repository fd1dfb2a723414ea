// Plans out of TOML.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "config/parse.h"
#include "config/read_fields.h"
#include "domain/crystal/analyze/check_plan.h"
#include "domain/crystal/analyze/read_parts.h"
#include "domain/crystal/analyze/wishes.h"
#include "domain/stem4d/parse_places.h"
#include "format/fields.h"
#include "format/npy/plane.h"
#include "store/fields.h"

namespace sluice::stem4d {
namespace {

using namespace crystal;
using config::Table;

Status read_scan(Table& top, std::string const& folder, AnalysisConfig& into) {
    toml::value const* const value = top.find("scan");
    if (!value) return {};
    bool const list = value->is_array();
    std::vector<toml::value> const all =
        list ? value->as_array() : std::vector<toml::value>{*value};
    for (toml::value const& one : all) {
        if (!one.is_string())
            return config::wrong(top.file(), *value,
                                 "scan is the path of an acquisition, or a list of paths");
        into.scan.push_back(path_in(folder, one.as_string().str));
    }
    return {};
}

Status read_loading(Table& top, std::string const& folder, AnalysisConfig& into) {
    SLUICE_TRY(toml::value const* const open, config::table_at(top, "open", false));
    if (open) {
        Table table(top.file(), *open, "open");
        SLUICE_CHECK(read_fields(table, open_fields(), into.open));
        SLUICE_CHECK(table.nothing_else());
    }
    SLUICE_TRY(toml::value const* const load, config::table_at(top, "load", false));
    into.says_how_to_load = open || load;
    if (!load) return {};
    Table table(top.file(), *load, "load");
    LoadWish wish;
    SLUICE_CHECK(read_fields(table, load_fields(), into.load));
    SLUICE_CHECK(
        read_fields(table, config::Fields<LoadOptions>(&detector_step_field(), 1), into.load));
    SLUICE_CHECK(read_fields(table, load_wish_fields(), wish));
    SLUICE_CHECK(table.nothing_else());
    if (wish.stream) into.load.residency = Residency::stream;
    if (wish.mask.empty()) return {};
    into.mask = path_in(folder, wish.mask);
    SLUICE_TRY(Array<float> const plane, npy::load_plane(into.mask));
    into.load.user_mask.shape = plane.shape;
    for (float const v : plane.values) into.load.user_mask.values.push_back(v != 0);
    return {};
}

Status read_disk(Table& top, AnalysisConfig& into) {
    toml::value const* const value = top.find("disk");
    if (!value) return {};
    SLUICE_TRY(std::string const text, top.text_of("disk", *value));
    auto const disk = parse_disk(text);
    if (!disk) return config::wrong(top.file(), *value, disk.error().message);
    into.plan.disk = *disk;
    return {};
}

// Whether somebody wrote [kind], which TOML makes by itself for [kind.name].
bool has_header(std::string const& text, std::string const& kind) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        line = line.substr(0, line.find('#'));
        std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
        if (line == "[" + kind + "]") return true;
    }
    return false;
}

// [kind] is a part without a name, each table in it is one with a name.
template <class Read>
Status read_parts(Table& top, std::string const& text, std::string const& kind, Read const& read) {
    SLUICE_TRY(toml::value const* const value, config::table_at(top, kind, false));
    if (!value) return {};
    toml::value own = *value;
    std::vector<std::pair<std::string, toml::value const*>> parts;
    for (auto const& [name, one] : value->as_table()) {
        if (!one.is_table()) continue;
        parts.emplace_back(name, &one);
        own.as_table().erase(name);
    }
    if (parts.empty() || !own.as_table().empty() || has_header(text, kind))
        SLUICE_CHECK(read(Table(top.file(), own, kind), std::string()));
    // In the order of the file: that is how results are listed.
    std::ranges::sort(parts, {}, [](auto const& part) { return part.second->location().line(); });
    for (auto const& [name, one] : parts)
        SLUICE_CHECK(read(Table(top.file(), *one, kind + "." + name), name));
    return {};
}

}  // namespace

Result<AnalysisConfig> parse_analysis(std::string const& text, std::string const& name,
                                      std::string const& folder) {
    SLUICE_TRY(toml::value const root, config::parse(text, name));
    Table top(name, root, {});
    AnalysisConfig c;
    SLUICE_CHECK(read_scan(top, folder, c));
    SLUICE_CHECK(read_loading(top, folder, c));
    SLUICE_CHECK(read_disk(top, c));
    PartReader const reader{folder, c.open, c.notes};
    using Read = Status (PartReader::*)(Table, std::string const&, AnalysisPlan&) const;
    std::pair<char const*, Read> const kinds[] = {{"virtual_image", &PartReader::images},
                                                  {"diffraction_pattern", &PartReader::patterns},
                                                  {"center_of_mass", &PartReader::moments},
                                                  {"disks", &PartReader::disks}};
    for (auto const& [kind, read] : kinds)
        SLUICE_CHECK(
            read_parts(top, text, kind, [&, how = read](Table table, std::string const& part) {
                return (reader.*how)(std::move(table), part, c.plan);
            }));
    SLUICE_CHECK(top.nothing_else());
    AnalysisPlan const& p = c.plan;
    if (p.images.empty() && p.patterns.empty() && p.moments.empty() && p.disks.empty())
        return Error{Code::invalid_argument,
                     "asks for nothing; add [virtual_image], [diffraction_pattern], "
                     "[center_of_mass] or [disks] (sluice stem4d analyze --example shows them)",
                     name};
    if (Status s = check_plan(p); !s) return Error{s.error().code, s.error().message, name};
    return c;
}

Result<AnalysisConfig> read_analysis(std::string const& path) {
    SLUICE_TRY(std::string const text, config::read_text(path));
    return parse_analysis(text, path, std::filesystem::path(path).parent_path().string());
}

}  // namespace sluice::stem4d

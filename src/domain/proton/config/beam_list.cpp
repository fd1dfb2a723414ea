// Lists of beams: a header of names with units, and a line for each beam.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/nearest.h"
#include "domain/proton/config/beams.h"
#include "domain/proton/list_lines.h"

namespace sluice::proton {
namespace {

/// What a column of the list is for.
struct Column {
    config::Field<BeamKeys> const* key;
    std::string_view unit;  ///< empty: of a plain number
};

std::string column_name(config::Field<BeamKeys> const& key, std::string_view unit) {
    return fmt::format("{}_{}", key.name, unit);
}

// All names that a column may have, those with the usual units first.
std::vector<std::string> column_names(config::Field<BeamKeys> const& key) {
    if (!key.dimension) return {std::string(key.name)};
    std::vector<std::string> names;
    for (std::string_view const unit : config::units_of(*key.dimension))
        names.push_back(column_name(key, unit));
    return names;
}

std::optional<Column> column_of(std::string_view name) {
    for (auto const& key : beam_fields()) {
        if (!key.dimension && name == key.name) return Column{&key, ""};
        if (!key.dimension) continue;
        for (std::string_view const unit : config::units_of(*key.dimension))
            if (name == column_name(key, unit)) return Column{&key, unit};
    }
    return {};
}

/// Beams, line by line.
class List {
  public:
    List(std::string_view text, std::string const& name) : lines_(text, name) {}

    Result<std::vector<Beam>> read() {
        SLUICE_CHECK(read_header());
        std::vector<Beam> out;
        while (lines_.next()) {
            SLUICE_TRY(out.emplace_back(), read_line());
            if (out.size() > most_beams)
                return wrong(fmt::format("more than {} beams; share them out over several lists",
                                         most_beams));
        }
        if (out.empty()) return wrong("no beam follows the header; give a line for each");
        return out;
    }

  private:
    ListLines lines_;
    std::vector<Column> columns_;

    Error wrong(std::string const& text) const { return lines_.wrong(text); }

    Status read_header() {
        std::vector<std::string> known;
        for (auto const& key : beam_fields())
            for (std::string& name : column_names(key)) known.push_back(std::move(name));
        if (!lines_.next())
            return wrong("no header; begin with the columns' names, as in energy_MeV,sigma_x_mm");
        for (std::string_view const name : lines_.fields()) {
            auto const c = column_of(name);
            if (!c)
                return wrong(
                    fmt::format("there is no column '{}'; did you mean '{}'? (names end "
                                "in their unit, except correlation and weight)",
                                name, nearest(name, known)));
            for (Column const& other : columns_)
                if (other.key == c->key)
                    return wrong(fmt::format("{} has two columns; leave one out", c->key->name));
            columns_.push_back(*c);
        }
        for (auto const& key : beam_fields())
            if (key.needed && std::ranges::find(columns_, &key, &Column::key) == columns_.end())
                return wrong(fmt::format("column {} is missing", column_names(key).front()));
        return {};
    }

    Result<Beam> read_line() {
        auto const fields = lines_.fields();
        if (fields.size() != columns_.size())
            return wrong(fmt::format("{} numbers for {} columns", fields.size(), columns_.size()));
        BeamKeys keys;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            auto const& [key, unit] = columns_[i];
            double number = 0;
            if (!config::read_value({key->name}, fields[i], number) ||
                !key->set(keys, fmt::format("{}{}", fields[i], unit)))
                return wrong(fmt::format("'{}' is not a number for {}", fields[i], key->name));
        }
        auto b = beam_of(keys);
        if (!b) return wrong(b.error().message);
        return b;
    }
};

}  // namespace

Result<std::vector<Beam>> parse_beam_list(std::string_view text, std::string const& name) {
    return List(text, name).read();
}

Result<std::vector<Beam>> read_beam_list(std::string const& path) {
    constexpr std::uint64_t most = 32 << 20;
    SLUICE_TRY(auto const bytes, read_file(path, most));
    return parse_beam_list({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::proton

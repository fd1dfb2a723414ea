// Tables of a configuration, key by key.
// SPDX-License-Identifier: Apache-2.0
#include "config/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace sluice::config {

Error wrong(std::string const& file, toml::value const& at, std::string const& text) {
    return {Code::invalid_argument, fmt::format("line {}: {}", at.location().line(), text), file};
}

Result<std::string> Table::text_of(std::string const& key, toml::value const& value,
                                   std::optional<Dimension> dimension) const {
    if (dimension && !value.is_string())
        return wrong(file_, value,
                     fmt::format("{} has no unit; write for example {} = \"{}\"", full(key), key,
                                 example_of(*dimension)));
    if (value.is_boolean()) return std::string(value.as_boolean() ? "true" : "false");
    if (value.is_integer()) return fmt::format("{}", value.as_integer());
    if (value.is_floating()) return fmt::format("{}", value.as_floating());
    if (value.is_string()) return value.as_string().str;
    return wrong(file_, value,
                 fmt::format("{} is neither a number, a text, true nor false", full(key)));
}

Result<std::string> Table::texts_of(std::string const& key, toml::value const& list, char between,
                                    std::optional<Dimension> dimension) const {
    if (list.as_array().empty())
        return wrong(file_, list, fmt::format("{} is an empty list", full(key)));
    std::string all;
    for (toml::value const& one : list.as_array()) {
        SLUICE_TRY(std::string const text, text_of(key, one, dimension));
        if (!all.empty()) all += between;
        all += text;
    }
    return all;
}

Status Table::need(std::string const& key) const {
    if (value_.contains(key)) return {};
    return wrong(file_, value_, fmt::format("{} is missing", full(key)));
}

toml::value const* Table::find(std::string const& key) {
    known_.push_back(key);
    return value_.contains(key) ? &value_.at(key) : nullptr;
}

Status Table::nothing_else() const {
    for (auto const& [key, v] : value_.as_table())
        if (std::find(known_.begin(), known_.end(), key) == known_.end())
            return wrong(file_, v,
                         fmt::format("there is no key '{}'; did you mean '{}'?", full(key),
                                     nearest(key, known_)));
    return {};
}

Result<toml::value const*> table_at(Table& parent, std::string const& key, bool array) {
    toml::value const* const v = parent.find(key);
    if (!v) return v;
    bool const good = array ? v->is_array() && !v->as_array().empty() &&
                                  std::all_of(v->as_array().begin(), v->as_array().end(),
                                              [](auto const& one) { return one.is_table(); })
                            : v->is_table();
    if (!good)
        return wrong(parent.file(), *v,
                     array ? fmt::format("'{0}' is a list of tables; begin each with [[{0}]]", key)
                           : fmt::format("'{0}' is a table; begin it with [{0}]", key));
    return v;
}

}  // namespace sluice::config

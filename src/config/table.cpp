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

Result<double> Table::quantity(std::string const& key, Dimension dimension,
                               toml::value const& v) const {
    if (!v.is_string())
        return wrong(file_, v,
                     fmt::format("{} has no unit; write for example {} = \"{}\"", full(key), key,
                                 example_of(dimension)));
    auto const q = parse_quantity(v.as_string().str, dimension);
    if (!q) return wrong(file_, v, fmt::format("{} {}", full(key), q.error().message));
    return *q;
}

Status Table::quantity(std::string const& key, Dimension dimension, double& out) {
    toml::value const* const v = find(key);
    if (!v) return {};
    SLUICE_TRY(out, quantity(key, dimension, *v));
    return {};
}

Status Table::quantities(std::string const& key, Dimension dimension, std::vector<double>& out) {
    toml::value const* const v = find(key);
    if (!v) return {};
    if (!v->is_array()) {
        SLUICE_TRY(double const one, quantity(key, dimension, *v));
        out.push_back(one);
        return {};
    }
    for (toml::value const& part : v->as_array()) {
        SLUICE_TRY(double const one, quantity(key, dimension, part));
        out.push_back(one);
    }
    return {};
}

Status Table::number(std::string const& key, double& out) {
    toml::value const* const v = find(key);
    if (!v) return {};
    if (v->is_floating())
        out = v->as_floating();
    else if (v->is_integer())
        out = static_cast<double>(v->as_integer());
    else
        return wrong(file_, *v, full(key) + " is not a number");
    return {};
}

Status Table::flag(std::string const& key, bool& out) {
    toml::value const* const v = find(key);
    if (!v) return {};
    if (!v->is_boolean()) return wrong(file_, *v, full(key) + " is neither true nor false");
    out = v->as_boolean();
    return {};
}

Status Table::text(std::string const& key, std::string& out) {
    toml::value const* const v = find(key);
    if (!v) return {};
    if (!v->is_string()) return wrong(file_, *v, full(key) + " is not a text");
    out = v->as_string().str;
    return {};
}

Result<std::string> Table::text_of(std::string const& key, toml::value const& value) const {
    if (value.is_boolean()) return std::string(value.as_boolean() ? "true" : "false");
    if (value.is_integer()) return fmt::format("{}", value.as_integer());
    if (value.is_floating()) return fmt::format("{}", value.as_floating());
    if (value.is_string()) return value.as_string().str;
    return wrong(file_, value,
                 fmt::format("{} is neither a number, a text, true nor false", full(key)));
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

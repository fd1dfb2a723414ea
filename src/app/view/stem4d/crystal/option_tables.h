// Options in JSON by the tables of fields that command lines are read by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "app/view/fields.h"
#include "app/view/wire.h"
#include "config/field.h"

namespace sluice::app {

/// A value as the command line would have it.
Result<std::string> option_text(Fields const& value, std::string const& name);

/// Reads the object `group` of a request, where it is there. `others` takes what is in no table,
/// and says whether it knows the name.
template <class T, class Others>
Status read_table(Fields const& fields, std::string const& group, config::Fields<T> table, T& into,
                  Others const& others) {
    auto const it = fields.find(group);
    if (it == fields.end()) return {};
    if (!it->is_object()) return wrong_field(group, "must be an object of options");
    for (auto const& [name, value] : it->items()) {
        auto const* const field = config::find_field(table, name);
        if (!field) {
            SLUICE_TRY(bool const known, others(name, value));
            if (!known)
                return wrong_field(group,
                                   fmt::format("'{}' is no option", name.substr(0, max_word)));
            continue;
        }
        SLUICE_TRY(std::string const text, option_text(value, name));
        if (Status const set = field->set(into, text); !set)
            return wrong_field(group, set.error().message);
    }
    return {};
}

inline constexpr auto no_others = [](std::string const&, Fields const&) -> Result<bool> {
    return false;
};

/// Everything that a table has, as texts.
template <class T>
Json table_json(T const& of, config::Fields<T> table) {
    Json j = Json::object();
    for (auto const& [name, text] : config::texts_of(of, table)) j[name] = text;
    return j;
}

}  // namespace sluice::app

// The fields of a struct out of the keys of a TOML table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "config/table.h"

namespace sluice::config {

/// Gives a field the value that its key has. Errors name the line, and the key with its table.
template <class T>
Status read_field(Table const& table, Field<T> const& field, toml::value const& value, T& into) {
    std::string const name(field.name);
    bool const list = field.kind == Kind::list && value.is_array();
    // An empty list is what such a field has without the key.
    if (list && value.as_array().empty() && field.text(into).empty()) return {};
    SLUICE_TRY(std::string const text,
               list ? table.texts_of(name, value, field.between, field.dimension)
                    : table.text_of(name, value, field.dimension));
    std::string const shown = table.full(name);
    if (auto s = field.read({shown, field.bounds}, text, into); !s)
        return wrong(table.file(), value, s.error().message);
    return {};
}

/// Gives each field the value of its key. A field whose key is not there keeps what it has, unless
/// the field is needed.
template <class T>
Status read_fields(Table& table, Fields<T> fields, T& into) {
    for (auto const& field : fields) {
        std::string const name(field.name);
        if (field.needed) SLUICE_CHECK(table.need(name));
        if (toml::value const* const value = table.find(name))
            SLUICE_CHECK(read_field(table, field, *value, into));
    }
    return {};
}

}  // namespace sluice::config

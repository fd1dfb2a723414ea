// The fields of a struct out of the keys of a TOML table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "config/table.h"

namespace sluice::config {

/// Gives each field the value of its key; a field whose key is not there keeps what it has. Errors
/// name the line, and the key with its table.
template <class T>
Status read_fields(Table& table, Fields<T> fields, T& into) {
    for (auto const& field : fields) {
        std::string const name(field.name);
        toml::value const* const value = table.find(name);
        if (!value) continue;
        SLUICE_TRY(std::string const text, table.text_of(name, *value));
        std::string const shown = table.full(name);
        if (auto s = field.read({shown, field.bounds}, text, into); !s)
            return wrong(table.file(), *value, s.error().message);
    }
    return {};
}

}  // namespace sluice::config

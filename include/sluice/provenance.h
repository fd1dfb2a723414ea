// Provenance: where a result comes from. Every output that has room for it carries it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Texts in UTF-8. Values of the same name are joined with line breaks.
struct Provenance {
    std::vector<std::pair<std::string, std::string>> fields = {};  ///< (name, value)

    void add(std::string name, std::string value) {
        fields.emplace_back(std::move(name), std::move(value));
    }
};

/// What every output tells first: `program`, `version`, `commit`, the `command` (of a program that
/// calls the library: its own, or empty), and a `source` for each file, with its bytes.
Provenance provenance_of(std::string const& command, std::vector<std::string> const& sources);

}  // namespace sluice

// The keys of a YAML mapping, with those that merge keys (`<<`) bring in, as PyYAML resolves them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>
#include <vector>

#include "sluice/result.h"

namespace sluice::music {

struct MapEntry {
    std::string key;
    YAML::Node at;  ///< the key, for its line
    YAML::Node value;
};
using Entries = std::vector<MapEntry>;

/// The entries of a mapping, each key once: its own come before merged ones, and in a list of
/// merges the first counts. `section` is put before keys in errors, as in "audio.". Errors name the
/// line: a key that comes twice or is not a word, a merge of a value that is not a mapping.
Result<Entries> entries_of(YAML::Node const& map, std::string const& section,
                           std::string const& file);

/// The value of a key; null: it is missing, or has no value.
YAML::Node const* value_of(Entries const& entries, std::string_view key);

/// An error at a place of the text.
Error wrong_yaml(YAML::Node const& at, std::string const& text, std::string const& file);
int line_of(YAML::Mark const& mark);

/// Whole characters, 120 bytes or few more, with '?' for invalid UTF-8 and for the controls of C0
/// and C1, which a terminal could obey.
std::string printable(std::string_view text);

}  // namespace sluice::music

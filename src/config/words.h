// Words: the names of an enumeration's values, for command lines, TOML files, reports and Python.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sluice/result.h"

namespace sluice::config {

/// A value of an enumeration, and its name. A second name of the same value is read, but never
/// written.
template <class Value>
struct Word {
    std::string_view name;
    Value value;
};

/// An enumeration with a function `words(Value)` in its namespace: the array of its words.
template <class Value>
concept Worded = std::is_enum_v<Value> && requires {
    words(Value{}).size();
};

/// The name of a value; empty where the value has none.
template <Worded Value>
constexpr std::string_view word_of(Value value) {
    for (auto const& word : words(Value{}))
        if (word.value == value) return word.name;
    return {};
}

/// All names, in the order of the table.
template <Worded Value>
std::vector<std::string> names_of() {
    std::vector<std::string> names;
    for (auto const& word : words(Value{})) names.emplace_back(word.name);
    return names;
}

/// The error of a text that is not one of these names; it calls the option `what`.
Error no_word(std::string_view what, std::string_view text, std::vector<std::string> const& names);

/// The value of a name.
template <Worded Value>
Result<Value> read_word(std::string_view what, std::string_view text) {
    for (auto const& word : words(Value{}))
        if (word.name == text) return word.value;
    return no_word(what, text, names_of<Value>());
}

}  // namespace sluice::config

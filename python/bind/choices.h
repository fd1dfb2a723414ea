// Choices by name: the words that the command line has, too, for the values of an enumeration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "bind/errors.h"
#include "config/words.h"

namespace sluice::python {

/// The value of a name; InvalidArgument lists the names there are.
template <config::Worded Value>
Value choice(std::string_view argument, std::string_view name) {
    return unwrap(config::read_word<Value>(argument, name));
}
/// The same of functions, which have no table of their own.
template <class Value>
Value choice(std::string_view argument, std::string_view name,
             std::initializer_list<config::Word<Value>> choices) {
    std::vector<std::string> there;
    for (auto const& [known, value] : choices) {
        if (known == name) return value;
        there.emplace_back(known);
    }
    raise(config::no_word(argument, name, there));
}
template <config::Worded Value>
std::string name_of_choice(Value value) {
    return std::string(config::word_of(value));
}

}  // namespace sluice::python

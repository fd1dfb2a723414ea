// Choices by name: the words of the command line and of Python for the values of an enum.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "bind/errors.h"

namespace sluice::python {

template <class E>
using Choices = std::initializer_list<std::pair<std::string_view, E>>;

/// The value of a name; InvalidArgument lists the names there are.
template <class E>
E choice(std::string_view argument, std::string_view name, Choices<E> choices) {
    std::string there;
    for (auto const& [known, value] : choices) {
        if (known == name) return value;
        there += (there.empty() ? "'" : ", '") + std::string(known) + "'";
    }
    raise({Code::invalid_argument,
           std::string(argument) + " is '" + std::string(name) + "'; it can be " + there});
}
template <class E>
std::string_view name_of_choice(E value, Choices<E> choices) {
    for (auto const& [name, known] : choices)
        if (known == value) return name;
    return "";
}

}  // namespace sluice::python

// The known word that a misspelt one was meant to be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// By the fewest letters to change, add or leave out; there is at least one word.
std::string nearest(std::string_view word, std::span<std::string const> known);

/// The same, where at most a third of the letters differ: a word further away was hardly meant.
std::optional<std::string> near_enough(std::string_view word, std::span<std::string const> known);

}  // namespace sluice

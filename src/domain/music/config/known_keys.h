// The keys of configurations that are read, and what a misspelt one was meant to be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::music {

/// Of the sections audio, model, inference and training.
std::vector<std::string> const& known_keys(std::string_view section);

/// A key of the section, or "section.key" of another one; of no section, the name of one. Empty: no
/// key is near.
std::string meant_key(std::string const& key, std::string_view section);

}  // namespace sluice::music

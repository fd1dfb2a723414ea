// Names of stems as names of files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::music {

/// A name that is a file's, whatever the YAML says.
std::string file_of(std::string_view stem, bool flac);

/// Whether some file system takes two names for one file: letters differ in their case, or in how
/// an accent is written (one character, or a letter and its accent), or what file_of() replaces.
/// Two letters with different accents can be taken for one where they are written differently.
bool are_one_file(std::string_view a, std::string_view b);

/// The first two of these names that are one file.
std::optional<std::pair<std::string, std::string>> names_of_one_file(
    std::vector<std::string> const& names);

}  // namespace sluice::music

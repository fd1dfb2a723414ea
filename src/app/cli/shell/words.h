// What was meant by a command line that names no command or option.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is that of CLI11
class App;
}

namespace sluice::cli {

/// A sentence about the first word that is not a command where one is needed, or an option that
/// its command does not have, with the nearest that there is; nothing where all words are known.
std::optional<std::string> explain_words(CLI::App const& program, int argc,
                                         char const* const* argv);

}  // namespace sluice::cli

// Names out of files, as errors may print them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sluice::zip {

/// In quotes, at most 120 bytes of it, with '?' for what a terminal could obey.
std::string in_quotes(std::string_view text);

/// Whether a name is printable UTF-8 of 1 to 512 bytes.
bool is_name(std::string_view text);

}  // namespace sluice::zip

// Amounts of memory as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sluice/result.h"

namespace sluice::cli {

/// "500M", "4G", "1048576" as bytes.
Result<std::uint64_t> parse_bytes(std::string const& text);
/// The shortest text of such an amount.
std::string bytes_text(std::uint64_t bytes);

}  // namespace sluice::cli

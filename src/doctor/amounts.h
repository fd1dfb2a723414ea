// Amounts with the prefix that suits them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sluice::doctor {

/// "1.25 GB/s" of 1.25e9 and "B/s".
std::string amount(double value, std::string_view unit);
/// "2.1 GB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace sluice::doctor

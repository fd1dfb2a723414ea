// Error text and contracts.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/result.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

namespace sluice {

std::string Error::text() const {
    if (file.empty()) return message;
    if (!at) return fmt::format("{}: {}", file, message);
    return fmt::format("{} at byte {}: {}", file, *at, message);
}

void expects(bool condition, char const* file, int line) {
    if (condition) return;
    fmt::print(stderr, "sluice: broken contract at {}:{}\n", file, line);
    std::abort();
}

void throw_error(Error const& error) {
    throw std::runtime_error(error.text());
}

}  // namespace sluice

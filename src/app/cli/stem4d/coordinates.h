// What rows, columns and lengths of 4D-STEM results are counted in; the files and reports say it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice::cli {

inline constexpr std::string_view coordinates =
    "(row, column), 0-based, of pixel centres, and lengths: in pixels of the full, unbinned "
    "detector";

}  // namespace sluice::cli

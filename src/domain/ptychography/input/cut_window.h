// The window of the patterns on a detector: where their pixels come from, and which are bad.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Whether patterns may be that large; else an error of this code.
Status check_window(index size, Code code);

/// Where the pixels of `patterns`, whose size and propagation are known, come from. A far field is
/// cut about the direct beam, `beam`; without it, zero frequency is at [0][0] already. A near field
/// is cut about the detector's middle, and nothing is shifted. A note says what lies outside.
std::vector<index> cut_window(stem4d::Patterns const& patterns, std::array<index, 2> detector,
                              std::optional<stem4d::Position> beam,
                              std::vector<std::string>& notes);

/// Marks in patterns.bad the pixels beyond the detector, or bad on it ([row][col]; empty: none is).
/// A note gives their number; false: no pixel is left.
bool mark_bad(std::vector<index> const& from, std::span<std::uint8_t const> bad_on_detector,
              stem4d::Patterns& patterns, std::vector<std::string>& notes);

}  // namespace sluice::ptycho

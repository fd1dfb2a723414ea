// Chips: whose hits count where nobody said how the chips of a readout lie.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "format/tpx3/chip_layout.h"

namespace sluice::tpx3 {

class Chips {
  public:
    explicit Chips(ChipLayout const& layout) : said_(layout.is_said()), layout_(&layout) {}

    /// Hears of a chunk of a chip: whether its hits count, and in `problem` what is wrong with it.
    /// Errors: several send hits, and nobody says where they lie.
    Result<bool> counts(int chip, std::string& problem);
    /// The one whose hits count; empty: all that have a place.
    std::optional<int> only() const { return said_ ? std::nullopt : chip_; }

  private:
    bool said_;
    ChipLayout const* layout_;
    std::optional<int> chip_ = {};
    std::array<index, 256> chunks_ = {};  // of each chip
};

}  // namespace sluice::tpx3

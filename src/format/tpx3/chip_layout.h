// ChipLayout: where the pixels of a readout's chips lie in its images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "format/tpx3/packets.h"
#include "sluice/result.h"

namespace sluice::tpx3 {

/// The stream says which chip sent a hit, and not where it lies.
class ChipLayout {
  public:
    /// Of one chip, whatever its number.
    ChipLayout();
    /// "0:0:260,1:260:260:180": of each chip its number, the row and the column of its upper left
    /// corner, and 180 where it is turned by half a turn. Empty: one chip.
    static Result<ChipLayout> parse(std::string const& text);

    /// Somebody said where the chips lie.
    bool is_said() const { return said_; }
    index rows() const { return rows_; }
    index cols() const { return cols_; }
    bool has(int chip) const { return of(chip).row_step != 0; }
    /// [row][col] in the image, of a chip that it has.
    std::uint32_t pixel(int chip, Hit const& hit) const {
        Place const& p = of(chip);
        return static_cast<std::uint32_t>(p.first + p.row_step * hit.row + p.col_step * hit.col);
    }
    /// The chip of each pixel, and which of its pixels that is; -1: of none.
    struct Origin {
        int chip = -1;
        index row = 0, col = 0;
    };
    std::vector<Origin> origins() const;
    /// [row][col]: 1 where no chip is, as NXdetector marks gaps; empty: nowhere.
    std::vector<std::uint32_t> gaps() const;

    static constexpr int pixel_bits = 20;
    static constexpr index most_pixels = index{1} << pixel_bits;

  private:
    struct Place {
        std::int32_t first = 0, row_step = 0, col_step = 0;
    };
    Place const& of(int chip) const { return places_[static_cast<std::size_t>(chip) & 0xff]; }

    std::array<Place, 256> places_ = {};
    index rows_ = chip_side, cols_ = chip_side;
    bool said_ = false;
};

}  // namespace sluice::tpx3

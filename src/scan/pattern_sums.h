// PatternSums: the sums of each detector pixel over squares of scan points.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sluice/device.h"
#include "store/narrow.h"
#include "store/plan.h"
#include "store/unit_reader.h"

namespace sluice {

class PatternSums {
  public:
    /// Edges of the squares, each a multiple of the next.
    static constexpr std::array<index, 2> edges = {64, 16};

    using Square = std::array<index, 2>;  ///< number of the edge, and of the square

    /// Of a scan in memory as bit planes; frames that were not measured are left out.
    static PatternSums make(store::Resident const& frames, store::Plan const& plan,
                            Device const& device);

    /// The same without any sums, which are put() there.
    static PatternSums empty(store::Plan const& plan);
    /// How many squares have the edge number `level`.
    index squares(std::size_t level) const;
    /// Those of a square, [row of blocks].
    void put(Square square, std::vector<store::Narrow> rows);
    /// Sums [block * 64 + bit] as put() takes them.
    std::vector<store::Narrow> packed(std::span<std::uint64_t const> sums) const;
    index block_rows() const { return numbers_ / row_numbers_; }
    index row_numbers() const { return row_numbers_; }

    std::uint64_t bytes() const;

    /// A choice as squares, frames to add, and frames to take away; each [frame].
    struct Split {
        std::vector<Square> squares = {};
        std::vector<std::uint8_t> add = {}, take_away = {};
    };
    /// Of the measured frames that `chosen` [frame] marks.
    Split split(std::span<std::uint8_t const> chosen) const;
    /// The sums of squares: [block * 64 + bit].
    std::vector<std::uint64_t> sums(std::span<Square const> squares, Device const& device) const;

  private:
    /// Calls f(first frame, frames) for each row of a square.
    template <class F>
    void for_each_row(std::size_t level, index square, F const& f) const;
    index measured(std::size_t level, index square, std::span<std::uint8_t const> of) const;
    void clear(std::size_t level, index square, std::vector<std::uint8_t>& of) const;
    void make_square(store::UnitReader& frames, index square, Device const& device,
                     std::vector<std::uint64_t>& sums) const;

    std::array<index, 2> scan_ = {};
    index row_numbers_ = 0;                                  // of a row of blocks
    index numbers_ = 0;                                      // of a square: blocks * 64
    std::vector<std::uint8_t> measured_ = {};                // [frame]
    std::array<std::vector<index>, edges.size()> all_ = {};  // measured frames of a square
    // [square][row of blocks], since few rows need wide numbers.
    std::array<std::vector<std::vector<store::Narrow>>, edges.size()> sums_ = {};
};

}  // namespace sluice

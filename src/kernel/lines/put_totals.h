// The totals of a unit of lines, out of its tiles; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/lines/lines.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

/// Of each frame.
struct alignas(64) Sums {
    std::uint32_t of[unit_frames];

    void clear() { std::memset(of, 0, sizeof of); }
    void add(Sums const& other) {
        for (index f = 0; f < unit_frames; ++f) of[f] += other.of[f];
    }
    Width width() const {
        std::uint32_t all = 0;  // one or-ed upon the other
        for (std::uint32_t const sum : of) all |= sum;
        if (all == 0) return Width::none;
        if (all < 1U << 4) return Width::half;
        if (all < 1U << 8) return Width::one;
        return all < 1U << 16 ? Width::two : Width::four;
    }
    void half(std::uint8_t* to) const {
        constexpr index half = unit_frames / 2;
        for (index f = 0; f < half; ++f)
            to[f] = static_cast<std::uint8_t>(of[f] | of[half + f] << 4);
    }
    template <class T>
    void write(T* to) const {
        for (index f = 0; f < unit_frames; ++f) to[f] = static_cast<T>(of[f]);
    }
    void write(Width width, std::byte* to) const {
        if (width == Width::half) half(reinterpret_cast<std::uint8_t*>(to));
        if (width == Width::one) write(reinterpret_cast<std::uint8_t*>(to));
        if (width == Width::two) write(reinterpret_cast<std::uint16_t*>(to));
        if (width == Width::four) write(reinterpret_cast<std::uint32_t*>(to));
    }
};

// Of a block whose totals fit 32 bits.
inline void sums_of(std::span<planes::Tile const> tiles, index block, Sums& sums) {
    constexpr index n = planes::tile_frames;
    std::uint32_t* to = sums.of;
    for (planes::Tile const& tile : tiles) {
        auto const e = tile.entry(block);
        if (e.totals == planes::Totals::wide) {
            std::memcpy(to, tile.wide(e), n * sizeof *to);
        } else {
            std::uint8_t const* const from = tile.narrow(block);
            for (index f = 0; f < n; ++f) to[f] = from[f];
        }
        to += n;
    }
    for (std::uint32_t* const end = sums.of + unit_frames; to < end; ++to) *to = 0;
}

/// Squares of 32x32 pixels one after the other, each with the smaller ones in it, so that no sums
/// have to wait elsewhere.
class TotalsWriter {
  public:
    TotalsWriter(std::span<planes::Tile const> tiles, planes::Grid grid, std::byte* unit,
                 std::byte* to)
        : tiles_(tiles), unit_(unit), to_(to) {
        index first = 0;
        for (int level = 0; level < levels; ++level) {
            of_[level] = Squares::of(grid, level), first_[level] = first;
            first += of_[level].count();
        }
        squares_ = reinterpret_cast<std::uint32_t*>(unit + Unit::squares_offset(grid.blocks()));
    }
    std::byte* write() {
        Sums large;
        for (index row = 0; row < of_[2].rows; ++row)
            for (index col = 0; col < of_[2].cols; ++col) {
                large.clear();
                add_middle(2 * row, 2 * col, large);
                put(2, row, col, large);
            }
        return to_;
    }

  private:
    // Of up to four squares from (row, col) of a level: act(row, col).
    template <class F>
    void each(int level, index row, index col, F&& act) {
        for (index r = row; r < row + 2 && r < of_[level].rows; ++r)
            for (index c = col; c < col + 2 && c < of_[level].cols; ++c) act(r, c);
    }
    void add_middle(index row, index col, Sums& large) {
        each(1, row, col, [&](index r, index c) {
            Sums middle;
            middle.clear();
            add_small(2 * r, 2 * c, middle);
            put(1, r, c, middle);
            large.add(middle);
        });
    }
    void add_small(index row, index col, Sums& middle) {
        each(0, row, col, [&](index r, index c) {
            Sums small;
            sums_of(tiles_, r * of_[0].cols + c, small);
            put(0, r, c, small);
            middle.add(small);
        });
    }
    void put(int level, index row, index col, Sums const& sums) {
        Width const width = sums.width();
        sums.write(width, to_);
        auto const at = static_cast<std::uint32_t>((to_ - unit_) / line_bytes);
        squares_[first_[level] + row * of_[level].cols + col] =
            at << 3 | static_cast<std::uint32_t>(width);
        to_ += width_bytes[static_cast<int>(width)];
    }

    std::span<planes::Tile const> tiles_;
    std::byte* unit_;
    std::byte* to_;
    Squares of_[levels];
    index first_[levels];
    std::uint32_t* squares_;
};

inline std::byte* put_totals(std::span<planes::Tile const> tiles, planes::Grid grid,
                             std::byte* unit, std::byte* to) {
    return TotalsWriter(tiles, grid, unit, to).write();
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

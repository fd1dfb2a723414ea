// Splits a mask into the largest squares, and lines where its edge cuts blocks.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/line_mask.h"

#include <algorithm>
#include <bit>

namespace sluice::lines {
namespace {

// Of 64 pixels. Where a mask has more of a block, the lines of the others and the block's total are
// less to read than its own lines; the total itself is about as long as two to eight of them.
constexpr int most_added = 34;

// [square] of a level: all blocks that it has are taken.
using Taken = std::vector<std::uint8_t>;

// A square of the next level is taken where all of its up to four squares are.
Taken larger(Taken const& small, Squares from, Squares to) {
    Taken large(static_cast<std::size_t>(to.count()), 1);
    for (index row = 0; row < from.rows; ++row)
        for (index col = 0; col < from.cols; ++col)
            large[static_cast<std::size_t>(row / 2 * to.cols + col / 2)] &=
                small[static_cast<std::size_t>(row * from.cols + col)];
    return large;
}

}  // namespace

LineMask line_mask(std::span<planes::MaskWord const> words, planes::Grid grid) {
    LineMask mask;
    mask.words.assign(words.begin(), words.end());
    Taken taken[levels];
    taken[0].resize(static_cast<std::size_t>(grid.blocks()));
    for (planes::MaskWord const& w : words) {
        bool const most = std::popcount(w.bits) > most_added;
        taken[0][w.block] = most;
        if (!most)
            mask.plus.push_back(w);
        else if (~w.bits != 0)
            mask.minus.push_back({~w.bits, w.block});
    }
    for (int level = 1; level < levels; ++level)
        taken[level] =
            larger(taken[level - 1], Squares::of(grid, level - 1), Squares::of(grid, level));
    std::uint32_t first = 0;
    for (int level = 0; level < levels; ++level) {
        Squares const here = Squares::of(grid, level);
        for (index i = 0; i < here.count(); ++i) {
            if (!taken[level][static_cast<std::size_t>(i)]) continue;
            bool in_larger = false;
            if (level + 1 < levels) {
                Squares const up = Squares::of(grid, level + 1);
                index const at = i / here.cols / 2 * up.cols + i % here.cols / 2;
                in_larger = taken[level + 1][static_cast<std::size_t>(at)] != 0;
            }
            if (!in_larger) mask.squares.push_back(first + static_cast<std::uint32_t>(i));
        }
        first += static_cast<std::uint32_t>(here.count());
    }
    return mask;
}

LineMask difference(std::span<planes::MaskWord const> words,
                    std::span<planes::MaskWord const> before) {
    LineMask mask;
    each_of_both(words, before, [&](std::uint32_t block, std::uint64_t a, std::uint64_t b) {
        if ((a & ~b) != 0) mask.plus.push_back({a & ~b, block});
        if ((b & ~a) != 0) mask.minus.push_back({b & ~a, block});
    });
    mask.words = mask.plus;
    mask.less = mask.minus;
    return mask;
}

index lines_of(LineMask const& mask) {
    constexpr index of_totals = 4;  // most take half a line to eight of them
    index lines = of_totals * std::ssize(mask.squares);
    for (auto const* const words : {&mask.plus, &mask.minus})
        for (planes::MaskWord const& w : *words) lines += std::popcount(w.bits);
    return lines;
}

}  // namespace sluice::lines

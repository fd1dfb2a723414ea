// First moments of a mask on lines by carry-save adders, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#include "kernel/lines/square_numbers.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using planes::block_edge;
using planes::Moment;

constexpr int most_bits = 16;  // of a coordinate
// Of fewer lines of a plane each is added by itself.
constexpr std::uint64_t few_lines = 12;

// The pixels of a block whose column, or row, has bit 0, 1 and 2.
constexpr std::uint64_t odd_cols[bits_in_block] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                   0xf0f0f0f0f0f0f0f0};
constexpr std::uint64_t odd_rows[bits_in_block] = {0xff00ff00ff00ff00, 0xffff0000ffff0000,
                                                   0xffffffff00000000};

/// What the pixels add up to whose coordinate has a bit, for each bit: the sum of coordinate times
/// counts is that of these, each as often as its bit says. None is more than the frame's sum.
struct Axis {
    Digits bit[most_bits];

    void add(Digits const& block, index place) {
        for (int k = bits_in_block; place != 0; place >>= 1, ++k)
            if (place & 1) bit[k].add(block);
    }
};

class Moments {
  public:
    void add(Unit const& unit, std::span<planes::MaskWord const> mask) {
        index const cols = unit.grid.block_cols();
        constexpr std::size_t ahead = 4;
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (i + ahead < mask.size())
                __builtin_prefetch(&unit.head(mask[i + ahead].block), 0, 2);
            if (i + 1 < mask.size()) fetch(unit, mask[i + 1]);
            add_block(unit, mask[i].block, mask[i].bits);
            total_.add(block_);
            auto const block = static_cast<index>(mask[i].block);
            row_.add(block_, block / cols);
            col_.add(block_, block % cols);
            block_.clear();
        }
    }
    void finish(Moment* out) {
        for (index f = 0; f < unit_frames; ++f) out[f] = {0, 0, 0};
        take(total_, [&](index f, std::uint64_t sum) { out[f].sum += sum; });
        for (int k = 0; k < most_bits; ++k) {
            take(row_.bit[k], [&](index f, std::uint64_t sum) { out[f].row += sum << k; });
            take(col_.bit[k], [&](index f, std::uint64_t sum) { out[f].col += sum << k; });
        }
    }

  private:
    Digits total_, block_;
    Axis row_, col_;

    // Lines on their way into the cache: where they lie cannot be foreseen by the processor.
    static void fetch(Unit const& unit, planes::MaskWord const& word) {
        Head const& head = unit.head(word.block);
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < head.planes; ++p) {
            std::uint64_t const map = unit.map(head, p);
            each_line(map, word.bits,
                      [&](auto place) { __builtin_prefetch(line + line_words * place, 0, 3); });
            line += line_words * count_lines(map);
        }
    }
    void add_block(Unit const& unit, index block, std::uint64_t bits) {
        Head const& head = unit.head(block);
        std::uint64_t const* line = unit.lines(head);
        for (int p = 0; p < head.planes; ++p) {
            std::uint64_t const map = unit.map(head, p), wanted = map & bits;
            if (count_lines(wanted) < few_lines)
                add_few(map, wanted, line, p);
            else
                add_square(map, wanted, line, p);
            line += line_words * count_lines(map);
        }
    }
    void add_few(std::uint64_t map, std::uint64_t wanted, std::uint64_t const* lines, int plane) {
        add_lines(block_, map, wanted, lines, plane);
        for (int k = 0; k < bits_in_block; ++k) {
            add_lines(row_.bit[k], map, wanted & odd_rows[k], lines, plane);
            add_lines(col_.bit[k], map, wanted & odd_cols[k], lines, plane);
        }
    }
    // All 64 pixels as squares of numbers; those that are not wanted count zeros.
    void add_square(std::uint64_t map, std::uint64_t wanted, std::uint64_t const* line, int plane) {
        alignas(64) static constexpr std::uint64_t zeros[line_words] = {};
        std::uint64_t const* of[64];
        for (int k = 0; k < 64; ++k) {
            of[k] = wanted >> k & 1 ? line : zeros;
            line += map >> k & 1 ? line_words : 0;
        }
        for (int column = 0; column < Digits::columns; ++column) {
            Number<4> rows[block_edge], cols[block_edge];
            for (int i = 0; i < block_edge; ++i) {
                Bits across[8], down[8];
                for (int k = 0; k < 8; ++k) {
                    across[k] = Digits::load(of[8 * i + k], column);
                    down[k] = Digits::load(of[8 * k + i], column);
                }
                rows[i] = count_eight(across);
                cols[i] = count_eight(down);
            }
            OfEight const by_row(rows), by_col(cols);
            block_.add(by_row.all.digit, plane, column);
            for (int k = 0; k < bits_in_block; ++k) {
                row_.bit[k].add(by_row.bit[k].digit, plane, column);
                col_.bit[k].add(by_col.bit[k].digit, plane, column);
            }
        }
    }
    static void add_lines(Digits& to, std::uint64_t map, std::uint64_t bits,
                          std::uint64_t const* lines, int plane) {
        List list;
        list.plane = plane;
        std::uint64_t const** end = list.lines;
        each_line(map, bits, [&](auto place) { *end++ = lines + line_words * place; });
        list.count = static_cast<std::size_t>(end - list.lines);
        if (list.count > 0) to.add(list);
    }
    template <class F>
    static void take(Digits& digits, F&& act) {
        if (digits.empty()) return;
        alignas(64) std::uint32_t sums[unit_frames] = {};
        digits.expand(false, sums);
        for (index f = 0; f < unit_frames; ++f) act(f, sums[f]);
        digits.clear();
    }
};

}  // namespace

void count_moments(std::span<Unit const> units, std::span<planes::MaskWord const> mask,
                   Moment (*out)[unit_frames]) {
    Moments moments;
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (units[u].wide()) {
            moments_plainly(units[u], mask, out[u]);
            continue;
        }
        moments.add(units[u], mask);
        moments.finish(out[u]);
    }
}

}  // namespace sluice::lines::SLUICE_ISA

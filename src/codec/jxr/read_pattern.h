// Which blocks of a macroblock have high-pass coefficients; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/levels.h"
#include "codec/jxr/macroblock.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

using std::uint32_t;

// Which of four are set, when two are.
inline uint32_t take_pair(Bits& bits) {
    constexpr uint32_t pairs[4] = {6, 9, 10, 12};
    uint32_t const first = bits.take(2);
    if (first == 0) return 3;
    if (first == 1) return 5;
    return pairs[first * 2 + bits.take(1) - 4];
}

// Which of four are set, when `count` of them are.
inline uint32_t take_four(Bits& bits, int count) {
    switch (count) {
        case 0:
            return 0;
        case 1:
            return 1U << bits.take(2);
        case 2:
            return take_pair(bits);
        case 3:
            return 0xf ^ 1U << bits.take(2);
        default:
            return 0xf;
    }
}

// The pattern of the four luma blocks of a quarter (bits 0 .. 3), and of chroma (4 and 5).
inline uint32_t take_quarter(Context& context, Bits& bits, Color color) {
    constexpr int extra[6] = {0, 2, 1, 2, 2, 0};
    constexpr uint32_t first[6] = {0, 4, 2, 8, 12, 1};
    constexpr uint32_t patterns[16] = {0, 15, 3, 12, 1, 2, 4, 8, 5, 6, 9, 10, 7, 11, 13, 14};
    int kind = 1 + (color == Color::gray ? take_symbol<4>(bits, context.blocks)
                                         : take_symbol<7>(bits, context.blocks));
    uint32_t chroma = 0;
    if (kind >= 6) {
        chroma = bits.take_bit() ? 0x10 : bits.take_bit() ? 0x20 : 0x30;
        if (kind == 9) kind = bits.take_bit() ? 9 : bits.take_bit() ? 10 : 11;
        kind -= 6;
    }
    return chroma | patterns[first[kind] + bits.take(extra[kind])];
}

inline void take_chroma(Context& context, Bits& bits, Color color, int quarter, uint32_t which,
                        Macroblock& mb) {
    for (int c = 0; c < 2; ++c) {
        if ((which >> (c + 4) & 1) == 0) continue;
        uint32_t& pattern = mb.pattern[1 + c];
        if (color == Color::yuv420) {
            pattern |= 1U << quarter;
        } else if (color == Color::yuv422) {
            constexpr int shift[4] = {0, 1, 4, 5};
            pattern |= (bits.take_bit() ? 1U : bits.take_bit() ? 4U : 5U) << shift[quarter];
        } else {
            // One to four blocks, as zero is no longer possible.
            pattern |= take_four(bits, 1 + take_symbol<3>(bits, context.codes[1])) << 4 * quarter;
        }
    }
}

void read_pattern(Context& context, Bits& bits_, Color color, Macroblock& mb) {
    Bits bits = bits_;
    for (uint32_t& pattern : mb.pattern) pattern = 0;
    bits.refill();
    uint32_t const quarters = take_four(bits, take_symbol<4>(bits, context.quarters));
    for (int quarter = 0; quarter < 4; ++quarter) {
        if ((quarters >> quarter & 1) == 0) continue;
        bits.refill();
        uint32_t const which = take_quarter(context, bits, color);
        mb.pattern[0] |= (which & 0xf) << 4 * quarter;
        take_chroma(context, bits, color, quarter, which, mb);
    }
    bits_ = bits;
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA

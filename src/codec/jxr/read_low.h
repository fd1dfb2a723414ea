// The DC and low-pass coefficients of a macroblock out of its bits; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/levels.h"
#include "codec/jxr/macroblock.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

using std::int32_t;
using std::uint32_t;

inline int32_t shifted_left(int32_t value, int by) {
    return static_cast<int32_t>(static_cast<uint32_t>(value) << by);
}

inline int32_t negated_if(bool negative, int32_t value) {
    return negative ? static_cast<int32_t>(0U - static_cast<uint32_t>(value)) : value;
}

inline int32_t read_one_dc(Bits& bits, Adaptive& levels, bool is_large, int low_bits, int& count) {
    bits.refill();
    int32_t value = 0;
    if (is_large) {
        value = take_level(bits, levels) - 1;
        ++count;
    }
    bits.refill();
    value = shifted_left(value, low_bits) | static_cast<int32_t>(bits.take(low_bits));
    return value != 0 ? negated_if(bits.take_bit(), value) : 0;
}

inline int clamped(int x) {
    return x < -8 ? -8 : x > 7 ? 7 : x;
}

// Which colours have low-pass coefficients, a bit for each.
inline uint32_t read_low_present(Context& context, Bits& bits, Color color) {
    bits.refill();
    if (color == Color::gray) return bits.take(1);
    int const planes = color == Color::yuv444 ? 3 : 2;
    uint32_t const full = color == Color::yuv444 ? 7 : 3;
    uint32_t present = 0;
    if (context.low_empty <= 0 || context.low_full < 0) {
        if (bits.take_bit()) {
            present = 1;
            if (uint32_t const k = bits.take(planes - 1); k != 0) present = k * 2 + bits.take(1);
        }
        if (context.low_full < context.low_empty) present = full - present;
    } else {
        present = bits.take(planes);
    }
    context.low_full = clamped(context.low_full + (present == full ? -3 : 1));
    context.low_empty = clamped(context.low_empty + (present == 0 ? -3 : 1));
    return present;
}

/// The coefficients of a block that are not zero, in the order of the scan.
struct Sparse {
    int count;
    int place[16];  ///< in the scan
    int32_t value[16];
};

inline Sparse damaged(Context& context, Sparse const& block) {
    context.damaged = true;
    return block;
}

// `first` is the place of the first coefficient, so that the last has place 15.
[[gnu::always_inline]] inline Sparse read_sparse(Context& context, Bits& bits, bool chroma,
                                                 int first) {
    Adaptive* const codes = context.codes + Context::low + (chroma ? 3 : 0);
    Adaptive* const levels = context.codes + Context::low + 6;
    Sparse block;
    block.count = 0;
    int at = first;
    bits.refill();
    int symbol = take_symbol<8>(bits, codes[0]);
    bool adjoins = (symbol & 1) != 0;
    bool is_large = (symbol & 2) != 0;
    int next = symbol >> 2;
    int follows = (symbol & 1) & next;
    bool negative = bits.take_bit();
    while (true) {
        int32_t const level = is_large ? take_level(bits, levels[follows]) : 1;
        // Of the first coefficient the run comes after the level, of the others before the symbol.
        if (block.count == 0 && !adjoins) {
            if (at > 14) return damaged(context, block);
            bits.refill();
            at += take_run(bits, 15 - at);
        }
        if (at > 15) return damaged(context, block);
        block.place[block.count] = at++;
        block.value[block.count++] = negated_if(negative, level);
        if (next == 0) break;
        bits.refill();
        if ((next & 1) == 0) {
            if (at > 14) return damaged(context, block);
            at += take_run(bits, 15 - at);
        }
        symbol = take_next(bits, codes[follows + 1], at, negative);
        next = symbol >> 1;
        follows &= next;
        is_large = (symbol & 1) != 0;
    }
    return block;
}

// The low bits of a coefficient, stored after all codes. A sign follows where only they make it
// other than zero. That cannot be foreseen: no branches.
SLUICE_HD void take_low_bits(Bits& bits, int width, int32_t& value) {
    bits.refill();
    auto const held = bits.held();
    auto const fine = static_cast<uint32_t>(held >> (64 - width));
    auto const after = held << width;
    bool const has_sign = (value == 0) & (fine != 0);
    uint32_t const sign =
        static_cast<uint32_t>(value >> 31) | (static_cast<uint32_t>(after >> 63) & has_sign) * ~0U;
    uint32_t const high = static_cast<uint32_t>(value) << width;
    value = static_cast<int32_t>(high + ((fine ^ sign) - sign));
    bits.set_held(after << has_sign, width + has_sign);
}

// Both chroma planes of subsampled colours come as one block.
inline void place_chroma(Sparse const& block, Color color, int first, Macroblock& mb) {
    constexpr int order422[7] = {4, 1, 2, 3, 5, 6, 7};
    int const count = color == Color::yuv420 ? 6 : 14;
    for (int i = 0; i < block.count; ++i) {
        int const k = block.place[i] - first;
        if (k >= count) continue;
        mb.low[1 + (k & 1)][color == Color::yuv420 ? 1 + k / 2 : order422[k / 2]] = block.value[i];
    }
}

void read_dc(Context& context, Bits& bits_, Color color, Macroblock& mb) {
    Bits bits = bits_;
    __builtin_memset(mb.low, 0, sizeof mb.low);
    BitModel& model = context.dc;
    int luma = 0, chroma = 0;
    bits.refill();
    if (color == Color::gray) {
        mb.low[0][0] = read_one_dc(bits, context.codes[3], bits.take_bit(), model.bits[0], luma);
    } else {
        int const large = take_symbol<5>(bits, context.codes[2]);
        mb.low[0][0] = read_one_dc(bits, context.codes[3], large >> 2, model.bits[0], luma);
        mb.low[1][0] = read_one_dc(bits, context.codes[4], large & 2, model.bits[1], chroma);
        mb.low[2][0] = read_one_dc(bits, context.codes[4], large & 1, model.bits[1], chroma);
    }
    bits_ = bits;
    update(model, Band::dc, color, luma, chroma);
}

// Works on a copy of the bits, which the compiler keeps in registers.
void read_low(Context& context, Bits& bits_, Color color, Position const& at, Macroblock& mb) {
    Bits bits = bits_;
    if (at.restarts) restart(context.scan_low);
    bool const joint = color == Color::yuv420 || color == Color::yuv422;
    int const planes = color == Color::gray ? 1 : joint ? 2 : 3;
    uint32_t const present = read_low_present(context, bits, color);
    int counts[2] = {};
    for (int plane = 0; plane < planes; ++plane) {
        bool const chroma = plane > 0;
        int const first = !chroma || !joint ? 1 : color == Color::yuv420 ? 10 : 2;
        if ((present >> plane & 1) != 0) {
            Sparse const block = read_sparse(context, bits, chroma, first);
            counts[chroma] += block.count;
            if (chroma && joint)
                place_chroma(block, color, first, mb);
            else
                for (int i = 0; i < block.count; ++i) {
                    auto const k = static_cast<unsigned>(block.place[i]);
                    mb.low[plane][count(context.scan_low, k)] = block.value[i];
                }
        }
        int const width = context.low_bits.bits[chroma];
        if (width == 0) continue;
        if (chroma && joint) {
            for (int k = 1; k < (color == Color::yuv420 ? 4 : 8); ++k)
                for (int c = 1; c < 3; ++c) take_low_bits(bits, width, mb.low[c][k]);
        } else {
            for (int k = 1; k < 16; ++k) take_low_bits(bits, width, mb.low[plane][k]);
        }
    }
    bits_ = bits;
    update(context.low_bits, Band::low, color, counts[0], counts[1]);
    if (at.adapts) context.adapt_low();
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA

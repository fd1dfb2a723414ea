// The high-pass coefficients of a macroblock out of its bits; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/kernels.h"
#include "codec/jxr/levels.h"
#include "codec/jxr/places.h"

namespace sluice::codec::jxr::SLUICE_ISA {
namespace {

using std::int32_t;
using std::uint32_t;

struct BlockCodes {
    Adaptive* first;   ///< and the two for those that continue
    Adaptive* levels;  ///< two
};

inline int32_t signed_level(uint32_t quantiser, int32_t level, bool negative) {
    uint32_t const value = quantiser * static_cast<uint32_t>(level);
    return static_cast<int32_t>(negative ? 0U - value : value);
}

// Calls put(place, value) for the coefficients that are not zero, and returns how many there are;
// 17 for a damaged block.
template <class Put>
[[gnu::always_inline]] inline int take_block(Bits& bits, BlockCodes codes, Scan& scan,
                                             uint32_t quantiser, Put put) {
    bits.refill();
    int symbol = take_symbol<8>(bits, codes.first[0]);
    int next = symbol >> 2;
    int follows = symbol & 1 & next;
    bool negative = bits.take_bit();
    int32_t level = 1;
    if ((symbol & 2) != 0) level = take_level(bits, codes.levels[follows]);
    unsigned at = 1;
    if ((symbol & 1) == 0) at += static_cast<unsigned>(take_run(bits, 14));
    put(scan.at[at] & 15, signed_level(quantiser, level, negative));
    count(scan, at);
    int found = 1;
    while (next != 0) {
        ++at;
        bits.refill();
        if ((next & 1) == 0) {
            if (at > 14) return 17;
            at += static_cast<unsigned>(take_run(bits, 15 - static_cast<int>(at)));
        }
        if (at > 15) return 17;
        symbol = take_next(bits, codes.first[follows + 1], static_cast<int>(at));
        next = symbol >> 1;
        follows &= next;
        negative = bits.take_bit();
        level = 1;
        if ((symbol & 1) != 0) level = take_level(bits, codes.levels[follows]);
        put(scan.at[at] & 15, signed_level(quantiser, level, negative));
        count(scan, at);
        ++found;
    }
    return found;
}

// The low bits of all 15 coefficients: those that are zero so far have a sign when not zero then.
[[gnu::always_inline]] inline void take_low_bits(Bits& bits, int width, uint32_t quantiser,
                                                 int32_t const* block, int32_t* out, index stride) {
    for (int k = 1; k < 16; ++k) {
        if (k % 3 == 1) bits.refill();
        uint32_t const value = static_cast<uint32_t>(block[place_of[k]]);
        auto const held = bits.held();
        auto const fine = static_cast<uint32_t>(held >> (64 - width));
        auto const after = held << width;
        bool const has_sign = value == 0 && fine != 0;
        // All ones where negative.
        uint32_t const sign = has_sign
                                  ? static_cast<uint32_t>(static_cast<std::int64_t>(after) >> 63)
                                  : static_cast<uint32_t>(static_cast<int32_t>(value) >> 31);
        uint32_t const more = quantiser * fine;
        out[place_of[k] * stride] = static_cast<int32_t>(value + ((more ^ sign) - sign));
        bits.set_held(has_sign ? after << 1 : after, width + (has_sign ? 1 : 0));
    }
}

struct Level {
    uint32_t quantiser;
    int model_bits, trimmed;
    int width;  ///< of the low bits that are stored
};

// One block; `coded` tells whether it has coefficients above the low bits.
[[gnu::always_inline]] inline int take_coefficients(Bits& bits, Bits& low, bool coded,
                                                    BlockCodes codes, Scan& scan,
                                                    Level const& level, int32_t* out,
                                                    index stride) {
    uint32_t const quantiser = level.quantiser << level.model_bits;
    if (level.width == 0) {
        if (!coded) return 0;
        return take_block(bits, codes, scan, quantiser, [&](uint32_t place, int32_t value) {
            out[static_cast<index>(place) * stride] = value;
        });
    }
    alignas(32) int32_t block[16] = {};
    int found = 0;
    if (coded)
        found = take_block(bits, codes, scan, quantiser,
                           [&](uint32_t place, int32_t value) { block[place] = value; });
    take_low_bits(low, level.width, level.quantiser << level.trimmed, block, out, stride);
    return found;
}

// Blocks of one colour in the order of the pattern's bits: quarter by quarter, or row by row.
struct Order {
    int count;
    std::uint8_t row[16], column[16];
};
constexpr Order full_order = {16,
                              {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3},
                              {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}};
constexpr Order half_order = {8, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 1, 0, 1, 0, 1, 0, 1}};
constexpr Order small_order = {4, {0, 0, 1, 1}, {0, 1, 0, 1}};

// `together`: code and low bits come from the same packet.
template <bool together>
inline void take_plane(HighPass const& job, int plane, Bits& bits_, Bits& low_, int& found) {
    Context& context = *job.context;
    int const chroma = plane > 0;
    Order const& order = !chroma || job.color == Color::yuv444 ? full_order
                         : job.color == Color::yuv422          ? half_order
                                                               : small_order;
    BlockCodes const codes = {context.codes + Context::high + 3 * chroma,
                              context.codes + Context::high + 6};
    Scan& scan = job.mb->direction == Direction::above ? context.scan_down : context.scan_across;
    Level level = {static_cast<uint32_t>(job.quantiser[plane]), context.high_bits.bits[chroma],
                   context.trimmed, 0};
    if (!job.skip_low_bits && level.model_bits > level.trimmed)
        level.width = level.model_bits - level.trimmed;
    Blocks const out = job.out[plane];
    uint32_t const pattern = job.mb->pattern[plane];
    // Copies, which the compiler keeps in registers.
    Bits bits = bits_, low = low_;
    for (int i = 0; i < order.count; ++i) {
        int const n = take_coefficients(
            bits, together ? bits : low, (pattern >> i & 1) != 0, codes, scan, level,
            out.at + 16 * order.row[i] * out.stride + order.column[i], out.stride);
        context.damaged |= n > 16;
        found += n;
    }
    bits_ = bits;
    if (!together) low_ = low;
}

// Adds to the coefficients of one edge of each block those of the block before.
inline void predict(Direction direction, Blocks out, int rows, int columns) {
    if (direction == Direction::above)
        for (int r = 1; r < rows; ++r)
            for (int const p : {2, 9, 10}) {
                int32_t* const here = out.at + (16 * r + p) * out.stride;
                int32_t const* const before = here - 16 * out.stride;
                for (int c = 0; c < columns; ++c)
                    here[c] = static_cast<int32_t>(static_cast<uint32_t>(here[c]) +
                                                   static_cast<uint32_t>(before[c]));
            }
    if (direction == Direction::left)
        for (int r = 0; r < rows; ++r)
            for (int const p : {1, 5, 6}) {
                int32_t* const here = out.at + (16 * r + p) * out.stride;
                for (int c = 1; c < columns; ++c)
                    here[c] = static_cast<int32_t>(static_cast<uint32_t>(here[c]) +
                                                   static_cast<uint32_t>(here[c - 1]));
            }
}

void read_high(HighPass const& job, Bits& bits, Bits& low) {
    int found[2] = {};
    for (int plane = 0; plane < (job.color == Color::gray ? 1 : 3); ++plane) {
        if (&bits == &low)
            take_plane<true>(job, plane, bits, low, found[plane > 0]);
        else
            take_plane<false>(job, plane, bits, low, found[plane > 0]);
        bool const full = plane == 0 || job.color == Color::yuv444;
        predict(job.mb->direction, job.out[plane], full || job.color == Color::yuv422 ? 4 : 2,
                full ? 4 : 2);
    }
    update(job.context->high_bits, Band::high, job.color, found[0], found[1]);
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA

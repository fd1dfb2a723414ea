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

// Puts the coefficients that are not zero to out[place * stride] and returns how many there are; 17
// for a damaged block. A function of its own, so that what it needs fits into registers.
[[gnu::noinline]] int take_block(Bits& bits_, BlockCodes codes, Scan& scan, uint32_t quantiser,
                                 int32_t* out, index stride) {
    Bits bits = bits_;
    bits.refill();
    int symbol = take_symbol<8>(bits, codes.first[0]);
    int next = symbol >> 2;
    int follows = symbol & 1 & next;
    bool negative = bits.take_bit();
    int32_t level = 1;
    if ((symbol & 2) != 0) level = take_level(bits, codes.levels[follows]);
    unsigned at = 1;
    if ((symbol & 1) == 0) at += static_cast<unsigned>(take_run(bits, 14));
    out[index{count(scan, at)} * stride] = signed_level(quantiser, level, negative);
    int found = 1;
    while (next != 0) {
        ++at;
        bits.refill();
        if (at > 15) return 17;
        // Looked up even where there is none, as a branch would often be mispredicted.
        at +=
            static_cast<unsigned>(take_run(bits, (next & 1) != 0 ? 0 : 15 - static_cast<int>(at)));
        if (at > 15) return 17;
        symbol = take_next(bits, codes.first[follows + 1], static_cast<int>(at), negative);
        next = symbol >> 1;
        follows &= next;
        level = 1;
        if ((symbol & 1) != 0) level = take_level(bits, codes.levels[follows]);
        out[index{count(scan, at)} * stride] = signed_level(quantiser, level, negative);
        ++found;
    }
    bits_ = bits;
    return found;
}

// The low bits of coefficients first .. last; 56 bits must be enough for them. A coefficient that
// only they make other than zero has a sign after them. That cannot be foreseen: no
// branches.
template <int first, int last>
[[gnu::always_inline]] inline void take_low_bits(Bits& bits, int width, uint32_t quantiser,
                                                 int32_t const* block, int32_t* out, index stride) {
    bits.refill();
    std::uint64_t held = bits.held();
    std::uint64_t const largest_zero = ~std::uint64_t{0} >> width;
    int signs = 0;
#pragma GCC unroll 16
    for (int k = first; k <= last; ++k) {
        int32_t const value = block[place_of[k]];
        auto const fine = static_cast<uint32_t>(held >> (64 - width));
        std::uint64_t const after = held << width;
        std::uint64_t const not_above =
            largest_zero | (value == 0 ? std::uint64_t{0} : ~std::uint64_t{0});
        unsigned const has_sign = held > not_above;
        // All ones where negative.
        uint32_t const sign = static_cast<uint32_t>(value >> 31) |
                              (static_cast<uint32_t>(after >> 63) & has_sign) * ~0U;
        out[place_of[k] * stride] =
            static_cast<int32_t>(static_cast<uint32_t>(value) + ((quantiser * fine ^ sign) - sign));
        held = after << has_sign;
        signs += static_cast<int>(has_sign);
    }
    bits.set_held(held, width * (last - first + 1) + signs);
}

// The low bits of all 15 coefficients.
[[gnu::noinline]] void take_low_bits(Bits& bits_, int width, uint32_t quantiser,
                                     int32_t const* block, int32_t* out, index stride) {
    Bits bits = bits_;
    if (width <= 2) {
        take_low_bits<1, 15>(bits, width, quantiser, block, out, stride);
    } else if (width <= 6) {
        take_low_bits<1, 8>(bits, width, quantiser, block, out, stride);
        take_low_bits<9, 15>(bits, width, quantiser, block, out, stride);
    } else {
        take_low_bits<1, 3>(bits, width, quantiser, block, out, stride);
        take_low_bits<4, 6>(bits, width, quantiser, block, out, stride);
        take_low_bits<7, 9>(bits, width, quantiser, block, out, stride);
        take_low_bits<10, 12>(bits, width, quantiser, block, out, stride);
        take_low_bits<13, 15>(bits, width, quantiser, block, out, stride);
    }
    bits_ = bits;
}

struct Level {
    uint32_t quantiser;
    int model_bits, trimmed;
    int width;  ///< of the low bits that are stored
};

// One block; `coded` tells whether it has coefficients above the low bits.
inline int take_coefficients(Bits& bits, Bits& low, bool coded, BlockCodes codes, Scan& scan,
                             Level const& level, int32_t* out, index stride) {
    uint32_t const quantiser = level.quantiser << level.model_bits;
    if (level.width == 0) return coded ? take_block(bits, codes, scan, quantiser, out, stride) : 0;
    alignas(32) int32_t block[16] = {};
    int const found = coded ? take_block(bits, codes, scan, quantiser, block, 1) : 0;
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

void take_plane(HighPass const& job, int plane, Bits& bits, Bits& low, int& found) {
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
    for (int i = 0; i < order.count; ++i) {
        int const n = take_coefficients(bits, low, (pattern >> i & 1) != 0, codes, scan, level,
                                        out.at + 16 * order.row[i] * out.stride + order.column[i],
                                        out.stride);
        context.damaged |= n > 16;
        found += n;
    }
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
        take_plane(job, plane, bits, low, found[plane > 0]);
        bool const full = plane == 0 || job.color == Color::yuv444;
        predict(job.mb->direction, job.out[plane], full || job.color == Color::yuv422 ? 4 : 2,
                full ? 4 : 2);
    }
    update(job.context->high_bits, Band::high, job.color, found[0], found[1]);
}

}  // namespace
}  // namespace sluice::codec::jxr::SLUICE_ISA

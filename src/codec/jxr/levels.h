// Levels, signs and runs of coefficients out of their codes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/bits.h"
#include "codec/jxr/codes.h"

namespace sluice::codec::jxr {

/// The symbol of an adaptive code; takes at most 8 of the bits held.
template <int bits_looked_at>
SLUICE_HD int take_symbol(Bits& bits, Adaptive& adaptive) {
    Codeword const code = adaptive.codes[bits.peek(bits_looked_at)];
    bits.skip(code.length);
    adaptive.discriminants += code.delta;
    return code.symbol;
}

/// A level that no code stands for; refills before and after.
SLUICE_HD std::int32_t take_escaped_level(Bits& bits) {
    bits.refill();
    int width = static_cast<int>(bits.take(4)) + 4;
    if (width == 19) {
        width += static_cast<int>(bits.take(2));
        if (width == 22) width += static_cast<int>(bits.take(3));
    }
    auto const level = 2 + (std::int32_t{1} << width) + static_cast<std::int32_t>(bits.take(width));
    bits.refill();
    return level;
}

/// A level of at least 2; takes at most 8 of the bits held, or refills.
SLUICE_HD std::int32_t take_level(Bits& bits, Adaptive& adaptive) {
    int const level = take_symbol<8>(bits, adaptive);
    return level != 0 ? level : take_escaped_level(bits);
}

/// The zeros before a coefficient, of which there can be `most` (0 .. 14); at most 7 bits.
SLUICE_HD int take_run(Bits& bits, int most) {
    Run const run = run_tables[most].by_bits[bits.peek(7)];
    bits.skip(run.length);
    return run.zeros;
}

/// The symbol of a coefficient that is not a block's first, at place `at` of the scan, and the sign
/// behind it: skipped together, as each skip waits for the one before.
SLUICE_HD int take_next(Bits& bits, Adaptive& adaptive, int at, bool& negative) {
    Codeword const* const codes = at < 14 ? adaptive.codes : tail_tables[at > 14 ? 1 : 0].by_bits;
    Codeword const code = codes[bits.peek(5)];
    negative = (bits.held() << code.length >> 63) != 0;
    bits.skip(code.length + 1);
    adaptive.discriminants += code.delta;
    return code.symbol;
}

}  // namespace sluice::codec::jxr

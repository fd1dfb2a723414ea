// Squares of bits, bytes and words that change rows and columns, for any instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/bitshuffle/words.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using sluice::SLUICE_ISA::Words;

inline Words turn_bits(Words x) {
    return sluice::SLUICE_ISA::transpose_bits(x);
}
inline Words turn_bytes(Words x) {
    return sluice::SLUICE_ISA::transpose_bytes(x);
}

inline void turn_words(Words (&x)[8]) {
    Words const from[8] = {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]};
    for (int row = 0; row < 8; ++row)
        x[row] = Words{from[0][row], from[1][row], from[2][row], from[3][row],
                       from[4][row], from[5][row], from[6][row], from[7][row]};
}

/// Bit i: word i is not 0.
inline std::uint64_t words_with_bits(Words x) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= std::uint64_t{x[i] != 0} << i;
    return bits;
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

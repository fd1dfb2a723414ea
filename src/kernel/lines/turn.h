// 64x64 bits whose rows become columns; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/lines/squares_of_bits_avx512.h"
#else
#include "kernel/lines/squares_of_bits_generic.h"
#endif

namespace sluice::lines::SLUICE_ISA {
namespace {

// Word 8 * i + k of the result, x[i][k], has bit 8 * j + l where word 8 * j + l had bit 8 * i + k.
[[maybe_unused]] inline void turn(Words (&x)[8]) {
    // Within eight words: byte k of word i has the bits 8 * i + k of the eight.
    for (Words& eight : x) eight = turn_bits(turn_bytes(eight));
    turn_words(x);
    for (Words& eight : x) eight = turn_bytes(eight);
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

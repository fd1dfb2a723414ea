// A frame's bits of the lines of one plane, for any instruction set; for *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/lines.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

constexpr int lines_ahead = 128;  // 8 KB

/// Bit `bit` of the words of the lines that `map` says there are, at the places of their pixels.
/// `line` goes on to the next plane's.
inline std::uint64_t bits_of_lines(std::uint64_t map, std::uint64_t const*& line, int bit) {
    std::uint64_t bits = 0;
    for (; map != 0; map &= map - 1) {
        // Lines of blocks and planes follow each other.
        __builtin_prefetch(line + line_words * lines_ahead, 0, 1);
        std::uint64_t const pixel = map & (~map + 1);
        bits |= *line >> bit & 1 ? pixel : 0;
        line += line_words;
    }
    return bits;
}

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

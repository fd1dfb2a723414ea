// In how many chosen frames the lines of eight pixels have a bit, for any instruction set; for
// *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/lines/lines.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

class RowCounts {
  public:
    explicit RowCounts(std::uint64_t const* chosen) : chosen_(chosen) {}

    /// Adds to eight pixels, of which `map` says which have a line; returns where the next lines
    /// begin.
    std::uint64_t const* add(std::uint8_t map, std::uint64_t const* line, int plane,
                             std::uint64_t* sums) const {
        for (int k = 0; k < 8; ++k) {
            if (!(map >> k & 1)) continue;
            __builtin_prefetch(line + line_words * ahead, 0, 1);
            std::uint64_t count = 0;
            for (index w = 0; w < line_words; ++w)
                count += static_cast<std::uint64_t>(__builtin_popcountll(line[w] & chosen_[w]));
            sums[k] += count << plane;
            line += line_words;
        }
        return line;
    }

  private:
    static constexpr int ahead = 128;  // lines of blocks and planes follow each other
    std::uint64_t const* chosen_;
};

}  // namespace
}  // namespace sluice::lines::SLUICE_ISA

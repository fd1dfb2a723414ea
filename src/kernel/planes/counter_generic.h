// Counters of sixteen frames in plain loops, for instruction sets without a vector popcount.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/planes/kernels.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

/// Sums of masked pixels, per frame.
class SumCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask) {
        for (int p = 0; p < planes; ++p)
            for (int f = 0; f < tile_frames; ++f)
                sums_[f] += static_cast<std::uint64_t>(popcount(words[p * tile_frames + f] & mask))
                            << p;
    }
    /// Of `count` blocks side by side, at most 257, so that 16 bits hold their sum.
    void add_totals(std::uint8_t const* totals, std::uint32_t count) {
        std::uint16_t sum[tile_frames] = {};
        for (std::uint32_t i = 0; i < count; ++i)
            for (int f = 0; f < tile_frames; ++f)
                sum[f] = static_cast<std::uint16_t>(
                    sum[f] + totals[i * tile_frames + static_cast<std::uint32_t>(f)]);
        for (int f = 0; f < tile_frames; ++f) sums_[f] += sum[f];
    }
    void add_totals(std::uint32_t const* totals) {
        for (int f = 0; f < tile_frames; ++f) sums_[f] += totals[f];
    }
    void store(std::uint64_t* out) {
        for (int f = 0; f < tile_frames; ++f) out[f] = sums_[f];
    }

  private:
    alignas(64) std::uint64_t sums_[tile_frames] = {};
};

// Bit k of a coordinate inside a block, over the block's 64 pixels.
constexpr std::uint64_t col_bit[3] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0};
constexpr std::uint64_t row_bit[3] = {0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};

/// First moments, per frame: the coordinates in binary, so that they too are popcounts.
class MomentCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask, std::uint64_t row0,
             std::uint64_t col0, index stride = tile_frames) {
        for (int p = 0; p < planes; ++p)
            for (int f = 0; f < tile_frames; ++f) {
                std::uint64_t const w = words[p * stride + f] & mask;
                auto const n = static_cast<std::uint64_t>(popcount(w));
                std::uint64_t row = row0 * n, col = col0 * n;
                for (int k = 0; k < 3; ++k) {
                    row += static_cast<std::uint64_t>(popcount(w & row_bit[k])) << k;
                    col += static_cast<std::uint64_t>(popcount(w & col_bit[k])) << k;
                }
                sum_[f] += n << p, row_[f] += row << p, col_[f] += col << p;
            }
    }
    void store(Moment* out) {
        for (int f = 0; f < tile_frames; ++f) out[f] = {sum_[f], row_[f], col_[f]};
    }

  private:
    alignas(64) std::uint64_t sum_[tile_frames] = {}, row_[tile_frames] = {},
                              col_[tile_frames] = {};
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA

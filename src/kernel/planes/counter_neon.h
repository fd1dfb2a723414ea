// Counters of sixteen frames in NEON, which every 64-bit ARM has and which counts bits per byte:
// planes are weighted while still in bytes. One word at a time, as compilers do it, a count goes to
// a vector register and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arm_neon.h>

#include "kernel/planes/kernels.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

constexpr int vectors = 8;  // of two frames each

inline uint8x16_t load(std::uint64_t const* p) {
    return vreinterpretq_u8_u64(vld1q_u64(p));
}
inline uint64x2_t sum_bytes(uint8x16_t x) {
    return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(x)));
}

/// Sums of masked pixels, per frame.
class SumCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask) {
        switch (planes) {
            case 0:
                return;
            case 1:
                return add_low<1>(words, mask);
            case 2:
                return add_low<2>(words, mask);
            case 3:
                return add_low<3>(words, mask);
            case 4:
                return add_low<4>(words, mask);
            default:
                break;
        }
        add_low<5>(words, mask);
        uint8x16_t const m = vreinterpretq_u8_u64(vdupq_n_u64(mask));
        for (int p = 5; p < planes; ++p)
            for (int v = 0; v < vectors; ++v) {
                uint8x16_t const x = vandq_u8(load(words + tile_frames * p + 2 * v), m);
                sums_[v] = vaddq_u64(sums_[v], vshlq_u64(sum_bytes(vcntq_u8(x)), vdupq_n_s64(p)));
            }
    }
    /// Of `count` blocks side by side, at most 257, so that 16 bits hold their sum.
    void add_totals(std::uint8_t const* totals, std::uint32_t count) {
        uint16x8_t low = vdupq_n_u16(0), high = low;
        for (std::uint32_t i = 0; i < count; ++i) {
            uint8x16_t const t = vld1q_u8(totals + i * tile_frames);
            low = vaddw_u8(low, vget_low_u8(t));
            high = vaddw_u8(high, vget_high_u8(t));
        }
        std::uint16_t sum[tile_frames];
        vst1q_u16(sum, low);
        vst1q_u16(sum + 8, high);
        for (int v = 0; v < vectors; ++v) {
            std::uint64_t const two[] = {sum[2 * v], sum[2 * v + 1]};
            sums_[v] = vaddq_u64(sums_[v], vld1q_u64(two));
        }
    }
    void add_totals(std::uint32_t const* totals) {
        for (int v = 0; v < vectors; ++v) sums_[v] = vaddw_u32(sums_[v], vld1_u32(totals + 2 * v));
    }
    void store(std::uint64_t* out) {
        flush();
        for (int v = 0; v < vectors; ++v) vst1q_u64(out + 2 * v, sums_[v]);
    }

  private:
    // A byte of a block grows by at most 8 * (2^planes - 1), 248 for five planes.
    template <int planes>
    void add_low(std::uint64_t const* words, std::uint64_t mask) {
        constexpr int growth = 8 * ((1 << planes) - 1);
        if (room_ < growth) flush();
        room_ -= growth;
        uint8x16_t const m = vreinterpretq_u8_u64(vdupq_n_u64(mask));
        for (int v = 0; v < vectors; ++v) {
            uint8x16_t t = vdupq_n_u8(0);
            for (int p = planes - 1; p >= 0; --p) {
                uint8x16_t const x = vandq_u8(load(words + tile_frames * p + 2 * v), m);
                t = vaddq_u8(vaddq_u8(t, t), vcntq_u8(x));
            }
            bytes_[v] = vaddq_u8(bytes_[v], t);
        }
    }
    void flush() {
        for (int v = 0; v < vectors; ++v) {
            sums_[v] = vaddq_u64(sums_[v], sum_bytes(bytes_[v]));
            bytes_[v] = vdupq_n_u8(0);
        }
        room_ = 255;
    }

    uint8x16_t bytes_[vectors] = {};
    uint64x2_t sums_[vectors] = {};
    int room_ = 255;
};

/// First moments, per frame. A byte is a row of the block, so that rows weigh the bytes' counts;
/// columns in binary are popcounts, too.
class MomentCounter {
  public:
    void add(std::uint64_t const* words, int planes, std::uint64_t mask, std::uint64_t row0,
             std::uint64_t col0, index stride = tile_frames) {
        std::uint8_t const rows[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
        uint8x16_t const row_of_byte = vld1q_u8(rows);
        uint8x16_t const m = vreinterpretq_u8_u64(vdupq_n_u64(mask));
        uint32x2_t const row = vdup_n_u32(static_cast<std::uint32_t>(row0));
        uint32x2_t const col = vdup_n_u32(static_cast<std::uint32_t>(col0));
        for (int p = 0; p < planes; ++p) {
            int64x2_t const weight = vdupq_n_s64(p);
            for (int v = 0; v < vectors; ++v) {
                uint8x16_t const x = vandq_u8(load(words + stride * p + 2 * v), m);
                uint8x16_t const ones = vcntq_u8(x);
                uint64x2_t const n = sum_bytes(ones);
                uint32x2_t const few = vmovn_u64(n);  // at most 64
                uint64x2_t const r = sum_bytes(vmulq_u8(ones, row_of_byte));
                add_to(sum_[v], n, weight);
                add_to(row_[v], vmlal_u32(r, few, row), weight);
                add_to(col_[v], vmlal_u32(sum_bytes(columns(x)), few, col), weight);
            }
        }
    }
    void store(Moment* out) {
        for (int f = 0; f < tile_frames; ++f)
            out[f] = {sum_[f / 2][f % 2], row_[f / 2][f % 2], col_[f / 2][f % 2]};
    }

  private:
    // The sum of the positions of the bits set in each byte: at most 28.
    static uint8x16_t columns(uint8x16_t x) {
        uint8x16_t const by1 = vcntq_u8(vandq_u8(x, vdupq_n_u8(0xAA)));
        uint8x16_t const by2 = vcntq_u8(vandq_u8(x, vdupq_n_u8(0xCC)));
        uint8x16_t const by4 = vcntq_u8(vandq_u8(x, vdupq_n_u8(0xF0)));
        return vaddq_u8(vaddq_u8(by1, vshlq_n_u8(by2, 1)), vshlq_n_u8(by4, 2));
    }
    static void add_to(uint64x2_t& sum, uint64x2_t x, int64x2_t weight) {
        sum = vaddq_u64(sum, vshlq_u64(x, weight));
    }

    uint64x2_t sum_[vectors] = {}, row_[vectors] = {}, col_[vectors] = {};
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA

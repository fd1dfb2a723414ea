// The steps of making tiles for any instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/bitshuffle/words.h"
#include "kernel/planes/four.h"
#include "kernel/planes/tile.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

typedef std::uint64_t Two __attribute__((vector_size(16)));

inline Sixteen load_eight(std::byte const* p) {
    std::uint64_t w;
    std::memcpy(&w, p, 8);
    Two const two = {w, 0};
    return (Sixteen)two;
}

// Bytes 0-7 of eight rows to eight columns of eight bytes.
inline void transpose_rows(std::byte const* rows, index stride, std::uint64_t* columns) {
    Sixteen pairs[4], out[4];
    for (int i = 0; i < 4; ++i) {
        Sixteen const x = load_eight(rows + 2 * i * stride);
        Sixteen const y = load_eight(rows + (2 * i + 1) * stride);
        pairs[i] =
            __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    }
    interleave_pairs(pairs, out);
    // One by one: GCC copies an array of them through the stack, in loads that wait for stores.
    for (int i = 0; i < 4; ++i) std::memcpy(columns + 2 * i, &out[i], sizeof out[i]);
}

// Words of eight neighbouring blocks, of all frames and planes.
constexpr index group = 8;
using Group = std::uint64_t[32][group][tile_frames];  // on 64-byte boundaries

// Four words of four frames each: rows and columns change places.
inline void transpose_four(std::uint64_t const* from, index stride, std::uint64_t* to,
                           index to_stride) {
    Four const a = load_four(from), b = load_four(from + stride);
    Four const c = load_four(from + 2 * stride), d = load_four(from + 3 * stride);
    Four const ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    Four const ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    Four const cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    Four const cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    Four const out[4] = {__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7),
                         __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7)};
    for (int i = 0; i < 4; ++i) std::memcpy(to + i * to_stride, out + i, sizeof(Four));
}

inline void gather(std::uint64_t const* words, index frame_stride, index blocks, int planes,
                   index n, Group& out) {
    for (int p = 0; p < planes; ++p)
        for (index f = 0; f < tile_frames; f += 4) {
            std::uint64_t const* const from = words + f * frame_stride + p * blocks;
            index j = 0;
            for (; j + 4 <= n; j += 4)
                transpose_four(from + j, frame_stride, &out[p][j][f], tile_frames);
            for (; j < n; ++j)
                for (index k = 0; k < 4; ++k) out[p][j][f + k] = from[k * frame_stride + j];
        }
}

/// The sums of a block's pixels in each frame, and how many planes it has.
class Sums {
  public:
    Sums(Group const& words, index j, int planes) : planes_(planes) {
        while (planes_ > 0 && !any_word(words[planes_ - 1][j])) --planes_;
        for (int p = 0; p < planes_; ++p)
            for (int f = 0; f < tile_frames; ++f)
                of_[f] += static_cast<std::uint64_t>(__builtin_popcountll(words[p][j][f])) << p;
        for (int f = 0; f < tile_frames; ++f) all_ |= of_[f];
    }

    int planes() const { return planes_; }
    bool fit(std::uint64_t most) const { return all_ <= most; }  // most + 1 is a power of two
    void narrow(std::uint8_t* to) const {
        for (int f = 0; f < tile_frames; ++f) to[f] = static_cast<std::uint8_t>(of_[f]);
    }
    void wide(std::uint32_t* to) const {
        for (int f = 0; f < tile_frames; ++f) to[f] = static_cast<std::uint32_t>(of_[f]);
    }

  private:
    static bool any_word(std::uint64_t const* w) {
        std::uint64_t all = 0;
        for (int f = 0; f < tile_frames; ++f) all |= w[f];
        return all != 0;
    }

    std::uint64_t of_[tile_frames] = {}, all_ = 0;  // all_: one or-ed upon the other
    int planes_;
};

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA

// The steps of making tiles for any instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/bitshuffle/words.h"
#include "kernel/planes/make_tile.h"

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

// The words of eight blocks, two by two: bytes 0-7 of eight rows change places with their columns.
inline void eight_blocks(std::byte const* rows, index stride, Sixteen words[4]) {
    Sixteen pairs[4];
    for (int i = 0; i < 4; ++i) {
        Sixteen const x = load_eight(rows + 2 * i * stride);
        Sixteen const y = load_eight(rows + (2 * i + 1) * stride);
        pairs[i] =
            __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    }
    interleave_pairs(pairs, words);
}

// Words of eight neighbouring blocks, of all frames and planes.
constexpr index group = 8;
using Group = std::uint64_t[32][group][tile_frames];  // on 64-byte boundaries

// The words of eight blocks that begin at `at` in each plane.
inline void gather(FrameRows frames, index at, index stride, int planes, Group& out) {
    for (int p = 0; p < planes; ++p)
        for (index f = 0; f < tile_frames; f += 2) {
            std::byte const* const rows =
                frames.base + f * frames.frame_stride + p * frames.plane_stride + at;
            Sixteen even[4], odd[4];  // of an even frame, and of the next one
            eight_blocks(rows, stride, even);
            eight_blocks(rows + frames.frame_stride, stride, odd);
            for (int i = 0; i < 4; ++i) {
                Two const low = __builtin_shufflevector((Two)even[i], (Two)odd[i], 0, 2);
                Two const high = __builtin_shufflevector((Two)even[i], (Two)odd[i], 1, 3);
                std::memcpy(&out[p][2 * i][f], &low, sizeof low);
                std::memcpy(&out[p][2 * i + 1][f], &high, sizeof high);
            }
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

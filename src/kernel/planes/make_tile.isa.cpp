// From rows of bits to sealed tiles, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/make_tile.h"

#include "codec/bitshuffle/words.h"
#include "kernel/planes/four.h"
#if defined(__AVX512VPOPCNTDQ__)
#include <immintrin.h>
#endif

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
    std::memcpy(columns, out, sizeof out);
}

void cut_blocks(std::byte const* rows, index stride, index row_count, index block_cols,
                std::uint64_t* out) {
    index c = 0;
    for (; row_count == block_edge && c + 8 <= block_cols; c += 8)
        transpose_rows(rows + c, stride, out + c);
    for (; c < block_cols; ++c) {
        std::uint64_t w = 0;
        for (index r = 0; r < row_count; ++r)
            w |= std::to_integer<std::uint64_t>(rows[r * stride + c]) << (8 * r);
        out[c] = w;
    }
}

inline bool any_word(std::uint64_t const* w) {
    std::uint64_t all = 0;
    for (int f = 0; f < tile_frames; ++f) all |= w[f];
    return all != 0;
}

// Words of eight neighbouring blocks, of all frames and planes.
constexpr index group = 8;
using Group = std::uint64_t[32][group][tile_frames];

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

// The sums of a block's pixels in each frame; returns all of them, one or-ed upon the other.
inline std::uint64_t add_up(Group const& words, index j, int planes, std::uint64_t* total) {
#if defined(__AVX512VPOPCNTDQ__)
    __m512i sum[2] = {};
    for (int p = planes - 1; p >= 0; --p)
        for (int v = 0; v < 2; ++v)
            sum[v] = _mm512_add_epi64(_mm512_add_epi64(sum[v], sum[v]),
                                      _mm512_popcnt_epi64(_mm512_loadu_si512(words[p][j] + 8 * v)));
    for (int v = 0; v < 2; ++v) _mm512_storeu_si512(total + 8 * v, sum[v]);
    return static_cast<std::uint64_t>(_mm512_reduce_or_epi64(_mm512_or_si512(sum[0], sum[1])));
#else
    for (int f = 0; f < tile_frames; ++f) total[f] = 0;
    for (int p = 0; p < planes; ++p)
        for (int f = 0; f < tile_frames; ++f)
            total[f] += static_cast<std::uint64_t>(__builtin_popcountll(words[p][j][f])) << p;
    std::uint64_t all = 0;
    for (int f = 0; f < tile_frames; ++f) all |= total[f];
    return all;
#endif
}

// One block's record at `at`, its entry and totals; returns where the next record goes, or -1.
index seal_block(Group const& words, index j, int planes, index block, index blocks, index at,
                 std::byte* out) {
    while (planes > 0 && !any_word(words[planes - 1][j])) --planes;
    std::uint64_t total[tile_frames];
    std::uint64_t const largest = add_up(words, j, planes, total);
    Tile::Entry e{planes, Totals::narrow, at};
    auto* const narrow = reinterpret_cast<std::uint8_t*>(out + Tile::totals_offset(blocks));
    for (int f = 0; f < tile_frames; ++f)
        narrow[block * tile_frames + f] = static_cast<std::uint8_t>(largest > 0xff ? 0 : total[f]);
    if (largest > 0xff) {
        e.totals = largest <= 0xffffffff ? Totals::wide : Totals::none;
        if (e.totals == Totals::wide) {
            auto* const wide = reinterpret_cast<std::uint32_t*>(out + at);
            for (int f = 0; f < tile_frames; ++f) wide[f] = static_cast<std::uint32_t>(total[f]);
            at += 4 * tile_frames;
        }
    }
    if (e.offset / tile_alignment >= 1 << 24) return -1;
    for (int p = 0; p < planes; ++p, at += 8 * tile_frames)
        std::memcpy(out + at, words[p][j], 8 * tile_frames);
    reinterpret_cast<std::uint32_t*>(out)[block] = Tile::pack(e);
    return at;
}

index seal(std::uint64_t const* words, index frame_stride, Grid grid,
           std::uint8_t const* planes_of_row, std::uint8_t const* need, std::byte* out) {
    index const blocks = grid.blocks(), block_cols = grid.block_cols();
    index at = Tile::records_offset(blocks);
    Group buffer;
    for (index row = 0; row < grid.block_rows(); ++row) {
        if (planes_of_row[row] == 0) {
            auto* const entries = reinterpret_cast<std::uint32_t*>(out) + row * block_cols;
            for (index c = 0; c < block_cols; ++c) entries[c] = Tile::pack({0, Totals::narrow, 0});
            std::memset(out + Tile::totals_offset(blocks) + row * block_cols * tile_frames, 0,
                        static_cast<std::size_t>(block_cols * tile_frames));
            continue;
        }
        for (index c = 0; c < block_cols; c += group) {
            index const n = block_cols - c < group ? block_cols - c : group;
            index const first = row * block_cols + c;
            bool any_needed = !need;
            for (index j = 0; need && j < n; ++j) any_needed |= need[first + j] != 0;
            if (any_needed)
                gather(words + first, frame_stride, blocks, planes_of_row[row], n, buffer);
            for (index j = 0; j < n; ++j) {
                bool const needed = !need || need[first + j];
                at = seal_block(buffer, j, needed ? planes_of_row[row] : 0, first + j, blocks, at,
                                out);
                if (at < 0) return -1;
            }
        }
    }
    auto const mark = at;
    if (mark / tile_alignment >= 1 << 24) return -1;
    auto* const entries = reinterpret_cast<std::uint32_t*>(out);
    auto* const exceptions = reinterpret_cast<std::uint32_t*>(out + mark);
    std::uint32_t count = 0;
    for (index block = 0; block < blocks; ++block) {
        exceptions[count + 1] = static_cast<std::uint32_t>(block);
        count += (entries[block] >> 6 & 3) != 0;
    }
    exceptions[0] = count;
    entries[blocks] = Tile::pack({0, Totals::narrow, mark});
    return mark + (4 * static_cast<index>(count) + 4 + tile_alignment - 1) / tile_alignment *
                      tile_alignment;
}

bool any(std::byte const* bytes, index n) {
    index i = 0;
    while (i + 64 <= n) {
        // Half a kilobyte before the first look: a branch per line would cost more than it saves.
        Four a = {}, b = {};
        index const end = i + 512 <= n ? i + 512 : n / 64 * 64;
        for (; i < end; i += 64) {
            a |= load_four(bytes + i);
            b |= load_four(bytes + i + 32);
        }
        a |= b;
        if ((a[0] | a[1]) | (a[2] | a[3])) return true;
    }
    for (; i < n; ++i)
        if (bytes[i] != std::byte{0}) return true;
    return false;
}

}  // namespace

TileMaking tile_making() {
    return {cut_blocks, seal, any};
}

}  // namespace sluice::planes::SLUICE_ISA

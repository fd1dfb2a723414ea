// The kernels over bit planes, tile by tile, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "codec/bitshuffle/words.h"
#include "kernel/planes/block_of_tiles.h"
#include "kernel/planes/cpu.h"
#include "kernel/planes/in_batches.h"
#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/planes/counter_avx512.h"
#include "kernel/planes/one_tile_avx512.h"
#elif defined(__AVX2__)
#include "kernel/planes/counter_avx2.h"
#elif defined(__aarch64__)
#include "kernel/planes/counter_neon.h"
#else
#include "kernel/planes/counter_generic.h"
#endif

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// Whole blocks need no look at their planes: their totals stand side by side.
inline void add_whole(Tile tile, SplitMask const& mask, SumCounter& counter) {
    constexpr std::uint32_t most = 256;  // blocks whose sum 16 bits hold
    for (BlockRun const& run : mask.whole)
        for (std::uint32_t at = 0; at < run.count; at += most)
            counter.add_totals(tile.narrow(run.first + at),
                               run.count - at < most ? run.count - at : most);
    std::uint32_t const* const exceptions = tile.exceptions();
    for (std::uint32_t i = 1; i <= exceptions[0]; ++i) {
        index const block = exceptions[i];
        if (!mask.is_whole[static_cast<std::size_t>(block)]) continue;
        Tile::Entry const e = tile.entry(block);
        if (e.totals == Totals::wide)
            counter.add_totals(tile.wide(e));
        else
            counter.add(tile.words(e), e.planes, ~std::uint64_t{0});
    }
}

void virtual_sum(std::span<Tile const> tiles, SplitMask const& mask,
                 std::uint64_t (*out)[tile_frames]) {
    SumCounter counter;
    in_batches(
        tiles, mask.partial,
        [&](auto const& i, int planes) { counter.add(i.words, planes, i.word.bits); },
        [&](std::size_t t) {
            if (!mask.whole.empty()) add_whole(tiles[t], mask, counter);
            counter.store(out[t]);
            counter = {};
        });
}

// What whole blocks add to the columns: most of them as totals side by side.
inline void add_whole(Tile tile, ManyMasks const& masks, SumCounter* columns) {
    constexpr std::uint32_t most = 256;
    for (ManyMasks::Run const& run : masks.whole)
        for (std::uint32_t at = 0; at < run.count; at += most)
            columns[run.column].add_totals(tile.narrow(run.first + at),
                                           run.count - at < most ? run.count - at : most);
    std::uint32_t const* const exceptions = tile.exceptions();
    std::uint16_t const* const column_of = masks.whole_column.data();
    for (std::uint32_t i = 1; i <= exceptions[0]; ++i) {
        index const block = exceptions[i];
        std::uint16_t const column = column_of[block];
        if (column == ManyMasks::nowhere) continue;
        Tile::Entry const e = tile.entry(block);
        if (e.totals == Totals::wide)
            columns[column].add_totals(tile.wide(e));
        else
            columns[column].add(tile.words(e), e.planes, ~std::uint64_t{0});
    }
}

// Adds the sets' columns to each of their masks, and empties them.
inline void add_shared(ManyMasks const& masks, SumCounter* columns,
                       std::uint64_t (*of_tile)[tile_frames]) {
    std::uint32_t const* mask = masks.set_masks.data();
    for (std::size_t s = 0; s < masks.set_end.size(); ++s) {
        std::uint64_t shared[tile_frames];
        columns[masks.masks + s].store(shared);
        columns[masks.masks + s] = {};
        for (; mask < masks.set_masks.data() + masks.set_end[s]; ++mask)
            for (int f = 0; f < tile_frames; ++f) of_tile[*mask][f] += shared[f];
    }
}

void many_sums(std::span<Tile const> tiles, ManyMasks const& masks,
               std::uint64_t (*out)[tile_frames]) {
    alignas(SumCounter) std::byte memory[ManyMasks::most_columns * sizeof(SumCounter)];
    auto* const columns = reinterpret_cast<SumCounter*>(memory);
    for (std::size_t c = 0; c < masks.masks + masks.set_end.size(); ++c)
        new (columns + c) SumCounter;
    ManyMasks::Pair const* const pairs = masks.pairs.data();
    in_batches(
        tiles, masks.blocks,
        [&](auto const& i, int planes) {
            for (std::uint32_t k = 0; k < i.word.count; ++k) {
                ManyMasks::Pair const& pair = pairs[i.word.first + k];
                columns[pair.column].add(i.words, planes, pair.bits);
            }
        },
        [&](std::size_t t) {
            if (!masks.whole.empty()) add_whole(tiles[t], masks, columns);
            auto* const of_tile = out + t * masks.masks;
            for (std::size_t m = 0; m < masks.masks; ++m) {
                columns[m].store(of_tile[m]);
                columns[m] = {};
            }
            add_shared(masks, columns, of_tile);
        });
}

void moments(std::span<Tile const> tiles, index block_cols, std::span<MaskWord const> mask,
             Moment (*out)[tile_frames]) {
    MomentCounter counter;
    auto const cols = static_cast<std::uint32_t>(block_cols);
    in_batches(
        tiles, mask,
        [&](auto const& i, int planes) {
            counter.add(i.words, planes, i.word.bits, i.word.block / cols * block_edge,
                        i.word.block % cols * block_edge);
        },
        [&](std::size_t t) {
            counter.store(out[t]);
            counter = {};
        });
}

void pattern_sum(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                 index last, std::uint64_t* sums) {
#if defined(__AVX512VPOPCNTDQ__)
    if (tiles.size() == 1) {
        OneTile const tile(tiles[0], frame_mask[0]);
        for (index block = first; block < last; ++block) tile.sum(block, sums + block * 64);
        return;
    }
#endif
    for (index block = first; block < last; ++block) {
        BlockOfTiles const b(tiles, frame_mask, block);
        b.sum(sums + block * 64);
    }
}

// Byte j of the counts of one frame's block, as 64 bytes.
inline void expand_byte(std::uint64_t const* words, int planes, int j, index f,
                        std::uint8_t* bytes) {
    Words x = {};
    for (int k = 0; k < 8 && 8 * j + k < planes; ++k) x[k] = words[(8 * j + k) * tile_frames + f];
    Words const y = transpose_bits(transpose_bytes(x));
    std::memcpy(bytes, &y, 64);
}

inline void expand_frame(std::uint64_t const* words, int planes, index f, std::uint32_t* out) {
    std::uint8_t bytes[64];
    expand_byte(words, planes, 0, f, bytes);
    for (int k = 0; k < 64; ++k) out[k] = bytes[k];
    for (int j = 1; 8 * j < planes; ++j) {
        expand_byte(words, planes, j, f, bytes);
        for (int k = 0; k < 64; ++k) out[k] |= static_cast<std::uint32_t>(bytes[k]) << (8 * j);
    }
}

void pattern_stats(Tile tile, std::uint16_t frame_mask, index first, index last,
                   PixelStats* stats) {
    for (index block = first; block < last; ++block) {
        Tile::Entry const e = tile.entry(block);
        if (e.planes == 0) continue;
        std::uint64_t sum[64] = {}, max[64] = {};
        double squares[64] = {};
        for (index f = 0; f < tile_frames; ++f) {
            if (!(frame_mask >> f & 1)) continue;
            std::uint32_t v[64];
            expand_frame(tile.words(e), e.planes, f, v);
            for (int k = 0; k < 64; ++k) {
                sum[k] += v[k];
                squares[k] += static_cast<double>(v[k]) * static_cast<double>(v[k]);
                max[k] = v[k] > max[k] ? v[k] : max[k];
            }
        }
        for (int k = 0; k < 64; ++k) {
            PixelStats& s = stats[block * 64 + k];
            s.sum += sum[k];
            s.squares += squares[k];
            s.max = max[k] > s.max ? max[k] : s.max;
        }
    }
}

// A count is the sum of its bits b_p 2^p, so that its square is that of b_p b_q 2^(p+q).
void count_squares(BlockOfTiles const& b, std::uint64_t* sum, std::uint64_t* squares) {
    for (int p = 0; p < b.planes(); ++p) {
        std::uint64_t own[64] = {};
        b.count<true>(p, p, 0, own);
        for (int k = 0; k < 64; ++k) {
            sum[k] += own[k] << p;
            squares[k] += own[k] << 2 * p;
        }
        for (int q = p + 1; q < b.planes(); ++q) b.count<false>(p, q, p + q + 1, squares);
    }
}

void pattern_squares(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                     index last, double* sums, double* squares) {
    constexpr int most = 28;  // 240 squares of so many bits are below 2^64
    for (index block = first; block < last; ++block) {
        BlockOfTiles const b(tiles, frame_mask, block);
        if (b.planes() == 0) continue;
        double *const to_sum = sums + block * 64, *const to_squares = squares + block * 64;
        if (b.planes() > most) {
            for (std::size_t t = 0; t < tiles.size(); ++t) {
                PixelStats stats[64] = {};
                // As if the block were the first one.
                pattern_stats(tiles[t], frame_mask[t], block, block + 1, stats - block * 64);
                for (int k = 0; k < 64; ++k) {
                    to_sum[k] += static_cast<double>(stats[k].sum);
                    to_squares[k] += stats[k].squares;
                }
            }
            continue;
        }
        std::uint64_t sum[64] = {}, square[64] = {};
        count_squares(b, sum, square);
        for (int k = 0; k < 64; ++k) {
            to_sum[k] += static_cast<double>(sum[k]);
            to_squares[k] += static_cast<double>(square[k]);
        }
    }
}

// The weights of a block as doubles; whether any is not zero.
inline bool block_weights(float const* weights, index block, double* w) {
    bool any = false;
    for (int k = 0; k < 64; ++k) {
        w[k] = static_cast<double>(weights[block * 64 + k]);
        any |= w[k] != 0;
    }
    return any;
}

constexpr std::size_t most_weights = 16;  // detectors at a time, so that the first-level cache does
using Lanes = double[tile_frames][8];

// Pixels are taken out of their planes once for all detectors.
void add_weighted(Tile tile, std::span<float const* const> weights, Lanes* lanes) {
    double w[most_weights][64];
    for (index block = 0; block < tile.blocks; ++block) {
        Tile::Entry const e = tile.entry(block);
        if (e.planes == 0) continue;
        std::size_t wanted[most_weights], count = 0;
        for (std::size_t d = 0; d < weights.size(); ++d)
            if (block_weights(weights[d], block, w[d])) wanted[count++] = d;
        for (index f = 0; count > 0 && f < tile_frames; ++f) {
            std::uint32_t v[64];
            expand_frame(tile.words(e), e.planes, f, v);
            double pixels[64];
            for (int k = 0; k < 64; ++k) pixels[k] = static_cast<double>(v[k]);
            for (std::size_t i = 0; i < count; ++i) {
                double* const lane = lanes[wanted[i]][f];
                double const* const of = w[wanted[i]];
                for (int k = 0; k < 64; k += 8)
                    for (int l = 0; l < 8; ++l) lane[l] += pixels[k + l] * of[k + l];
            }
        }
    }
}

void weighted_sums(Tile tile, std::span<float const* const> weights, double (*out)[tile_frames]) {
    for (std::size_t first = 0; first < weights.size(); first += most_weights) {
        std::size_t const left = weights.size() - first;
        std::size_t const count = left < most_weights ? left : most_weights;
        Lanes lanes[most_weights] = {};
        add_weighted(tile, weights.subspan(first, count), lanes);
        for (std::size_t d = 0; d < count; ++d)
            for (index f = 0; f < tile_frames; ++f) {
                double sum = 0;
                for (double l : lanes[d][f]) sum += l;
                out[first + d][f] = sum;
            }
    }
}

}  // namespace

CpuKernels cpu_kernels() {
    return {virtual_sum,     many_sums,     moments,      pattern_sum,
            pattern_squares, pattern_stats, weighted_sums};
}

}  // namespace sluice::planes::SLUICE_ISA

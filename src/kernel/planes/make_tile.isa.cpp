// From rows of bits to sealed tiles, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/make_tile.h"

#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/planes/counter_avx512.h"
#elif defined(__AVX2__)
#include "kernel/planes/counter_avx2.h"
#elif defined(__aarch64__)
#include "kernel/planes/counter_neon.h"
#else
#include "kernel/planes/counter_generic.h"
#endif
#include "device/past_caches.h"
#include "kernel/planes/four.h"
#include "kernel/planes/seal_block.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

index seal(FrameRows frames, Grid grid, std::uint8_t const* planes_of_row, std::uint8_t const* need,
           bool for_later, std::byte* out, Moment* moments) {
    index const blocks = grid.blocks(), block_cols = grid.block_cols();
    index at = Tile::records_offset(blocks);
    alignas(64) Group buffer;
    MomentCounter counter;
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
                gather(frames, row * block_edge * block_cols + c, block_cols, planes_of_row[row],
                       buffer);
            for (index j = 0; j < n; ++j) {
                int const planes = !need || need[first + j] ? planes_of_row[row] : 0;
                Sums const sums(buffer, j, planes);
                // While the words are in the first-level cache.
                if (moments)
                    counter.add(buffer[0][j], sums.planes(), ~std::uint64_t{0},
                                static_cast<std::uint64_t>(row * block_edge),
                                static_cast<std::uint64_t>((c + j) * block_edge),
                                group * tile_frames);
                at = seal_block(buffer, j, sums, planes, first + j, blocks, at, for_later, out);
                if (at < 0) return -1;
            }
        }
    }
    if (moments) counter.store(moments);
    if (for_later) past_caches_done();
    return finish_tile(blocks, at, out);
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
    return {seal, any};
}

}  // namespace sluice::planes::SLUICE_ISA

// From rows of bits to sealed tiles, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/planes/make_tile.h"

#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/planes/counter_avx512.h"
#include "kernel/planes/make_tile_avx512.h"
#elif defined(__AVX2__)
#include "kernel/planes/counter_avx2.h"
#include "kernel/planes/make_tile_generic.h"
#elif defined(__aarch64__)
#include "kernel/planes/counter_neon.h"
#include "kernel/planes/make_tile_generic.h"
#else
#include "kernel/planes/counter_generic.h"
#include "kernel/planes/make_tile_generic.h"
#endif
#include "device/line.h"
#include "device/past_caches.h"
#include "kernel/planes/four.h"

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// A record of `used` planes; beyond them, up to `planes` planes, anything.
void write_record(Group const& words, index j, int planes, int used, bool for_later,
                  std::byte* to) {
    constexpr index plane_bytes = 8 * tile_frames;
    // Past the caches: else writing would first read what stood there.
    for (int p = 0; for_later && p < used; ++p)
        for (index i = 0; i < plane_bytes; i += line_bytes) {
            Line line;
            std::memcpy(&line, words[p][j] + i / 8, sizeof line);
            store_past_caches(line, to + plane_bytes * p + i);
        }
    // All planes that the row has, since their number can be foreseen.
    for (int p = 0; !for_later && p < planes; ++p)
        std::memcpy(to + plane_bytes * p, words[p][j], plane_bytes);
}

// One block's record at `at`, its entry and totals; returns where the next record goes, or -1.
index seal_block(Group const& words, index j, Sums const& sums, int planes, index block,
                 index blocks, index at, bool for_later, std::byte* out) {
    Tile::Entry e{sums.planes(), Totals::narrow, at};
    auto* const narrow =
        reinterpret_cast<std::uint8_t*>(out + Tile::totals_offset(blocks)) + block * tile_frames;
    if (sums.fit(0xff)) {
        sums.narrow(narrow);
    } else {
        std::memset(narrow, 0, tile_frames);
        e.totals = sums.fit(0xffffffff) ? Totals::wide : Totals::none;
        if (e.totals == Totals::wide) {
            sums.wide(reinterpret_cast<std::uint32_t*>(out + at));
            at += 4 * tile_frames;
        }
    }
    if (e.offset / tile_alignment >= 1 << 24) return -1;
    write_record(words, j, planes, e.planes, for_later, out + at);
    reinterpret_cast<std::uint32_t*>(out)[block] = Tile::pack(e);
    return at + 8 * tile_frames * e.planes;
}

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
    return {seal, any};
}

}  // namespace sluice::planes::SLUICE_ISA

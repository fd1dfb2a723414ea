// A tile block by block: the record, entry and totals of each, and the list at its end; for
// *.isa.cpp files only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/line.h"
#if defined(__AVX512VPOPCNTDQ__)
#include "kernel/planes/make_tile_avx512.h"
#else
#include "kernel/planes/make_tile_generic.h"
#endif

namespace sluice::planes::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// A record of `used` planes; beyond them, up to `planes` planes, anything.
inline void write_record(Group const& words, index j, int planes, int used, bool for_later,
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
inline index seal_block(Group const& words, index j, Sums const& sums, int planes, index block,
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

// The list of blocks without narrow totals, at `mark`; returns the bytes of the tile, or -1.
inline index finish_tile(index blocks, index mark, std::byte* out) {
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

}  // namespace
}  // namespace sluice::planes::SLUICE_ISA

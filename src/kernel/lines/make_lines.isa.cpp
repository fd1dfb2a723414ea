// Turns the tiles of a unit into lines, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernel/lines/parts.h"
#include "kernel/lines/put_totals.h"
#include "kernel/lines/turn.h"

namespace sluice::lines::SLUICE_ISA {
namespace {

using planes::Grid;
using planes::Tile;
using planes::tile_frames;

constexpr index tiles_of_word = 64 / tile_frames;

// The largest number of planes that a block has, and a bound of its sums.
struct Extent {
    int planes = 0;
    std::uint64_t sum = 0;
};

inline Extent extent(std::span<Tile const> tiles, index block) {
    Extent e;
    for (Tile const& tile : tiles) {
        Tile::Entry const entry = tile.entry(block);
        std::uint64_t const most = entry.totals == planes::Totals::narrow
                                       ? 255
                                       : 64 * ((std::uint64_t{1} << entry.planes) - 1);
        e.planes = e.planes > entry.planes ? e.planes : entry.planes;
        e.sum = e.sum > most ? e.sum : most;
    }
    return e;
}

// Plane `plane` of 64 frames of a block, pixel after pixel; false: it has no bits.
inline bool pixels_of(std::span<Tile const> tiles, index block, int plane, Words (&x)[8]) {
    bool any = false;
    for (Words& eight : x) eight = Words{};
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        Tile::Entry const e = tiles[t].entry(block);
        if (plane >= e.planes) continue;
        std::memcpy(x + 2 * t, tiles[t].words(e) + plane * tile_frames, 2 * sizeof(Words));
        any = true;
    }
    if (any) turn(x);
    return any;
}

// Writes a plane's lines to `to` and returns their map. A line without bits among eight is written,
// too, since which ones have none cannot be foreseen; the next one takes its place.
std::uint64_t put_plane(std::span<Tile const> tiles, index block, int plane, std::byte*& end) {
    std::byte* to =
        end;  // a copy: what is written could be the pointer, for all the compiler knows
    Words pixels[line_words][8];  // [frame / 64][pixel / 8]
    for (index w = 0; w < line_words; ++w) {
        std::size_t const first = static_cast<std::size_t>(w * tiles_of_word);
        std::size_t const left = tiles.size() > first ? tiles.size() - first : 0;
        bool const any =
            left > 0 && pixels_of(tiles.subspan(first, left < tiles_of_word ? left : tiles_of_word),
                                  block, plane, pixels[w]);
        for (Words& eight : pixels[w]) eight = any ? eight : Words{};
    }
    std::uint64_t map = 0;
    for (int eight = 0; eight < 8; ++eight) {
        Words lines[8], all = {};
        for (index w = 0; w < line_words; ++w) {
            lines[w] = pixels[w][eight];
            all |= lines[w];
        }
        std::uint64_t const any = words_with_bits(all);
        if (any == 0) continue;
        map |= any << 8 * eight;
        turn_words(lines);
        for (int k = 0; k < 8; ++k) {
            std::memcpy(to, &lines[k], line_bytes);
            to += static_cast<index>(any >> k & 1) * line_bytes;
        }
    }
    end = to;
    return map;
}

}  // namespace

index make_unit(std::span<Tile const> tiles, Grid grid, std::byte* out) {
    index const blocks = grid.blocks();
    auto* const heads = reinterpret_cast<Head*>(out + line_bytes);
    std::uint64_t most = 0;
    for (index b = 0; b < blocks; ++b) {
        Extent const e = extent(tiles, b);
        heads[b] = {{}, 0, static_cast<std::uint8_t>(e.planes), {}};
        most += e.sum;
    }
    std::uint32_t const wide = most >> 32 != 0;
    std::memset(out, 0, line_bytes);
    std::memcpy(out, &wide, sizeof wide);
    std::byte* to = out + data_offset(grid);
    std::memset(out + Unit::squares_offset(blocks), 0,
                static_cast<std::size_t>(data_offset(grid) - Unit::squares_offset(blocks)));
    if (!wide) to = put_totals(tiles, grid, out, to);
    for (index b = 0; b < blocks; ++b) {
        Head& head = heads[b];
        head.first = static_cast<std::uint32_t>((to - out) / line_bytes);
        auto* const more = reinterpret_cast<std::uint64_t*>(to);
        index const more_bytes = Unit::more_maps(head.planes) * line_bytes;
        std::memset(to, 0, static_cast<std::size_t>(more_bytes));
        to += more_bytes;
        for (int p = 0; p < head.planes; ++p)
            (p < Head::own_maps ? head.map[p] : more[p - Head::own_maps]) =
                put_plane(tiles, b, p, to);
    }
    return to - out;
}

CpuKernels cpu_kernels() {
    return {make_unit, count_mask, count_moments, add_frames, turn_unit_back, read_rows};
}

}  // namespace sluice::lines::SLUICE_ISA

// How many bytes units and their tiles take at most, and a mask looks at.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "kernel/lines/cpu.h"

namespace sluice::lines {

index bound_of(std::span<planes::Tile const> tiles, planes::Grid grid) {
    index bytes = data_offset(grid) + all_squares(grid) * width_bytes[4];
    for (index b = 0; b < grid.blocks(); ++b) {
        int planes = 0;
        for (planes::Tile const& tile : tiles) planes = std::max(planes, tile.entry(b).planes);
        bytes += line_bytes * (64 * static_cast<index>(planes) + Unit::more_maps(planes));
    }
    return bytes;
}

index tile_bound_of(Unit unit) {
    index const blocks = unit.grid.blocks();
    index bytes = planes::tile_bound(blocks, 0);
    int most = 0;
    for (index b = 0; b < blocks; ++b) {
        bytes += planes::tile_frames * 8 * index{unit.head(b).planes};
        most = std::max<int>(most, unit.head(b).planes);
    }
    // A record is written with all planes of the unit before those that are empty are left out.
    bytes += planes::tile_frames * 8 * index{most};
    return (bytes + planes::tile_alignment - 1) / planes::tile_alignment * planes::tile_alignment;
}

index touched_bytes(Unit unit, LineMask const& mask) {
    index bytes = 0;
    for (std::uint32_t const square : mask.squares)
        bytes += 4 + width_bytes[static_cast<int>(Unit::width(unit.square(square)))];
    for (auto const* const words : {&mask.plus, &mask.minus})
        for (planes::MaskWord const& w : *words) {
            Head const& head = unit.head(w.block);
            bytes += line_bytes * (1 + Unit::more_maps(head.planes));
            for (int p = 0; p < head.planes; ++p)
                bytes += line_bytes * std::popcount(unit.map(head, p) & w.bits);
        }
    return bytes;
}

}  // namespace sluice::lines

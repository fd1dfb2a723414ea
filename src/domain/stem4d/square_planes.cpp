// Sums of pixels and of their squares over chosen frames of bit planes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/square_planes.h"

#include "kernel/planes/cpu.h"

namespace sluice::stem4d {

void SquarePlanes::add(Partial& p, std::span<store::Unit const> units) const {
    std::vector<planes::Tile> tiles;
    std::vector<std::uint16_t> of_tile;
    for (store::Unit const& u : units) {
        tiles.push_back(u.tile);
        of_tile.push_back(masks[static_cast<std::size_t>(u.first_frame / planes::tile_frames)]);
    }
    planes::kernels_for(device).pattern_squares(tiles, of_tile.data(), 0, grid.blocks(), p.data(),
                                                p.data() + p.size() / 2);
}

void SquarePlanes::merge(Partial& a, Partial const& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
}

}  // namespace sluice::stem4d

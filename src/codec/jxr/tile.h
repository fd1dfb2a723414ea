// The tiles of a JPEG XR image: their packets, quantisers and what their decoders have learned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/jxr/macroblock.h"

namespace sluice::codec::jxr {

/// The factors of one tile, by colour; of low and high bands one of several by macroblock.
struct TileQuantisers {
    std::int32_t dc[3] = {};
    std::int32_t low[16][3] = {}, high[16][3] = {};
    int low_count = 1, high_count = 1;
    int low_bits = 0, high_bits = 0;  ///< of a macroblock's index into them
};

/// A tile's packets by band: all four may be in one.
struct Packets {
    Bits bits[4];
    int of_band[4] = {0, 0, 0, 0};

    Bits& band(int i) { return bits[of_band[i]]; }
};

/// The part of a tile that belongs to one plane, colour or alpha.
struct PlaneTile {
    Context context;
    TileQuantisers quantisers;
};

/// Opens the packets of tile (row, column) and checks their headers; `trimmed` is the number of
/// lowest bits left out. Only `bands` bands are looked at.
Status open_packets(Bytes codestream, Header const& header, std::vector<index> const& starts,
                    std::size_t row, std::size_t column, int bands, Packets& packets, int& trimmed);

/// The factors that a plane's header gives for all tiles.
TileQuantisers plane_quantisers(PlaneHeader const& plane);

/// The factors that a tile's packet gives for one band.
void read_tile_quantisers(PlaneHeader const& plane, Band band, Bits& bits, TileQuantisers& tile);

}  // namespace sluice::codec::jxr

// Decodes a JPEG XR image row by row of macroblocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "codec/jxr/plane.h"
#include "codec/jxr/tile.h"

namespace sluice::codec::jxr {

/// One plane, colour or alpha, with all that is needed to read it.
class PlaneReader {
  public:
    PlaneReader(Header const& header, PlaneHeader const& plane, Kernels const& kernels);

    Plane& plane() { return plane_; }
    Plane const& plane() const { return plane_; }
    /// A tile begins: forgets what was learned in the one above.
    void begin_tile(std::size_t column, int trimmed);
    /// Reads the quantisers at the head of a band's packet.
    void read_quantisers(std::size_t column, Band band, Bits& bits);
    /// Coefficients that are not used need not be cleared.
    void begin_row(index row, bool clears) {
        if (clears) plane_.clear(row);
        std::swap(here_, above_);
    }
    /// Reads macroblock (row, column), of which `bands` bands are wanted.
    Status read(std::size_t tile, Position const& at, index row, index column, int bands,
                Packets& packets);
    bool damaged() const;

  private:
    Status read_indices(PlaneTile const& tile, int bands, Packets& packets, Macroblock& mb);
    void keep_low(TileQuantisers const& q, Macroblock const& mb, index row, index column);
    Status read_high(PlaneTile& tile, Position const& at, index row, index column, int bands,
                     Neighbours const* neighbours, Packets& packets, Macroblock& mb);

    Header const* header_;
    PlaneHeader const* header_of_plane_;
    Kernels const* kernels_;
    Plane plane_;
    std::vector<PlaneTile> tiles_;  ///< of one row of tiles
    std::vector<Neighbour> here_, above_;
};

/// An image that is being decoded; `reduction` as in JxrOptions.
class Decoder {
  public:
    static Result<Decoder> open(Bytes codestream, int reduction, Kernels const& kernels);

    Header const& header() const { return *header_; }
    Plane const& color() const { return color_->plane(); }
    /// The alpha plane that is interleaved with the colours, or nullptr.
    Plane const* alpha() const { return alpha_ ? &alpha_->plane() : nullptr; }
    /// Goes on to row `row` of macroblocks (0 .. blocks_down); the samples of row - 1 are final.
    Status step(index row);

  private:
    Decoder() = default;
    Status begin_tile(std::size_t tile_row, std::size_t column);
    Status read_row(index row);

    Bytes codestream_;
    std::unique_ptr<Header> header_;
    std::vector<index> starts_;
    int reduction_ = 1;
    int bands_ = 4;  ///< that are read
    std::size_t tile_row_ = 0;
    std::optional<PlaneReader> color_, alpha_;
    std::vector<Packets> packets_;  ///< of one row of tiles
};

}  // namespace sluice::codec::jxr

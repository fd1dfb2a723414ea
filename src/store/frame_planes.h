// Decodes one stored frame into bit planes in row order, or into values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/bitshuffle/transpose.h"
#include "device/isa.h"
#include "format/frame_source.h"
#include "store/rules.h"

namespace sluice::store {

/// What a decoder knows of the frames of a dataset.
struct FrameGeometry {
    index rows = 0, cols = 0;
    DType dtype = DType::u16;

    index pixels() const { return rows * cols; }
    int bytes() const { return static_cast<int>(size_of(dtype)); }
    int planes() const { return 8 * bytes(); }
    index block_rows() const { return (rows + 7) / 8; }
};

/// Decodes frames into bit planes, the rules applied. Pixel n is bit n % 8 of byte n / 8 of its
/// plane.
class FramePlanes {
  public:
    FramePlanes(FrameGeometry geometry, PixelRules const& rules, Isa isa);

    /// Decodes only what covers the rows of blocks marked in `need` (empty: all). Plane p goes to
    /// planes + p * stride.
    Status decode(EncodedFrame const& frame, std::span<std::uint8_t const> need, Tally& tally,
                  std::byte* planes, index stride);

    /// Planes that may hold a bit in a row of blocks (8 detector rows); all above are zeros.
    int planes_of_row(index block_row) const {
        return planes_of_row_[static_cast<std::size_t>(block_row)];
    }

  private:
    struct Piece {  // one compressed block of the frame
        index first, count;
        bool needed;
        std::vector<std::pair<std::uint32_t, std::uint8_t>>
            keep;  // byte of a plane, bits that count
    };

    void cut_pieces(index block_elements, std::span<std::uint8_t const> need);
    Status decode_shuffled(EncodedFrame const& frame, codec::Compression compression,
                           std::span<std::uint8_t const> need, Tally& tally);
    Status decode_values(EncodedFrame const& frame, std::span<std::uint8_t const> need,
                         Tally& tally);
    Result<bool> pack_values(EncodedFrame const& frame, std::span<std::uint8_t const> need);
    bool pack_plain(codec::Plain values, std::span<std::uint8_t const> need);
    Result<bool> place_rows(EncodedFrame const& frame, std::span<std::uint8_t const> need);
    bool needs_values(std::uint32_t bits) const;
    void clear_bad();
    int clean(Piece const& piece, codec::PlanesFound found, std::byte* planes, index stride,
              Tally& tally) const;
    void check_range(std::byte* planes, index stride, index bytes, int& top, Tally& tally) const;
    void note_rows(Piece const& piece, int top);
    void place_tail(Bytes tail, Tally& tally);

    FrameGeometry geometry_;
    PixelRules const& rules_;
    Isa isa_;
    std::byte* planes_ = nullptr;  // of the frame that is decoded
    index stride_ = 0;
    index block_elements_ = -1;
    std::vector<std::uint8_t> need_;
    std::vector<Piece> pieces_;
    std::vector<std::byte> scratch_;
    std::vector<int> piece_top_;
    std::vector<std::uint8_t> planes_of_row_;
};

/// Decodes one stored frame into its little-endian values, the rules applied.
Status decode_values(EncodedFrame const& frame, FrameGeometry const& geometry,
                     PixelRules const& rules, std::span<std::byte> values, Tally& tally);

/// Puts the file's name and the frame's place in it into an error of a decoder.
Error located(Error error, EncodedFrame const& frame);

}  // namespace sluice::store

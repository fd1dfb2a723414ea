// A page of a TIFF file: its size, its type, and where its pieces are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "format/stored_type.h"
#include "format/tiff/directory.h"

namespace sluice::tiff {

enum class Compression : std::uint8_t { none, lzw, deflate, packbits, zstd };
/// What was stored of a value: itself, its difference to the one before, or that of its bytes.
enum class Predictor : std::uint8_t { none, difference, bytes };

/// Bytes of a strip or a tile in the file.
struct Piece {
    std::uint64_t at = 0, bytes = 0;
};

struct Page {
    index rows = 0, cols = 0;
    StoredType stored = {};
    Compression compression = Compression::none;
    Predictor predictor = Predictor::none;
    index piece_rows = 0, piece_cols = 0;  ///< of a tile, or of a strip, which is as wide as a page
    std::vector<Piece> pieces = {};        ///< row by row
    bool tiled = false, white_is_zero = false;

    index across() const { return (cols + piece_cols - 1) / piece_cols; }
    /// Whether another page makes a frame of the same scan.
    bool same_frame(Page const& other) const {
        return rows == other.rows && cols == other.cols && stored == other.stored;
    }
    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(rows * cols) * static_cast<std::uint64_t>(stored.bytes);
    }
    /// Where all values lie as they are, in one stretch; nothing where they do not.
    std::optional<std::uint64_t> plain_at() const;
};

/// Colours, packed bits and codecs that are not read are Code::unsupported. The pieces lie within
/// the file, and cover the page.
Result<Page> read_page(Source const& file, Order order, Directory const& directory);

/// The values of a page as they are stored, little-endian, into page.frame_bytes() bytes.
Status decode_page(Source const& file, Page const& page, std::span<std::byte> out);

}  // namespace sluice::tiff

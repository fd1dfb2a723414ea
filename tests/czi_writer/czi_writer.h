// Writes CZI files for tests and benchmarks: any tiles, habits of old writers, any attachments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/czi.h"

// The layout is written down here a second time, apart from the reader, and from the same public
// sources: czifile (BSD-3) and Bio-Formats.
namespace sluice::test {

struct Tile;

/// Fills a tile: [planes][height][width][samples] with samples in the order R, G, B, A. Several
/// planes lie in the order of Tile::dimensions, whose first runs fastest.
using Painter = std::function<void(Tile const&, std::span<std::byte> out)>;

/// A sub-block.
struct Tile {
    slide::Rect rect;                           ///< pixels of the full resolution
    index stored_width = 0, stored_height = 0;  ///< 0: as in rect
    slide::PlaneIndex at = {};
    slide::PlaneIndex planes = {1, 1, 1, 1,
                                1, 1, 1, 1};  ///< more than 1: an n-dimensional sub-block
    std::int32_t scene = slide::none, m = slide::none;
    slide::PixelType pixel_type = slide::PixelType::gray8;
    czi::Compression compression = czi::Compression::none;
    std::uint8_t pyramid_type = 0;
    std::int32_t file_part = 0;
    /// The order of the entry's dimensions; S and M are left out where they have no number. Letters
    /// that do not exist are written too.
    std::string dimensions = "XYCZTSM";
    Painter paint = {};  ///< none: zeros
    double quality = 1;  ///< of JPEG XR (1 = lossless) and JPEG
    bool hi_lo = true;   ///< of zstd1 with 16-bit samples
    int zstd_level = 1;
    /// The data as they are instead of what `paint` gives, whatever `compression` says.
    std::optional<std::vector<std::byte>> data = {};
    std::string metadata = {};  ///< XML of the sub-block
    std::vector<std::byte> attachment = {};

    index width() const { return stored_width > 0 ? stored_width : rect.width; }
    index height() const { return stored_height > 0 ? stored_height : rect.height; }
    index plane_count() const;
};

/// An attachment of the file.
struct Attached {
    std::string name, content_type;  ///< e.g. "Thumbnail", "JPG"
    std::vector<std::byte> data;
};

/// What writers differ in.
struct Habits {
    bool directory_first = false;   ///< directory and XML before the tiles
    bool used_size_zero = false;    ///< UsedSize 0, as old writers had it
    bool stored_size_zero = false;  ///< StoredSize 0 where it is the size
    int deleted_every = 0;          ///< a DELETED segment before each so many tiles
    bool attachment_directory = true;
    bool xml = true;
    bool update_pending = false;
    std::int32_t file_part = 0;
    std::array<std::uint8_t, 16> primary_guid = {1, 2, 3}, guid = {1, 2, 3};
};

/// A CZI file to be written. Tiles are painted and encoded only while they are written, so that
/// files larger than memory can be made.
struct CziFile {
    std::vector<Tile> tiles;
    std::vector<Attached> attachments;
    slide::Metadata metadata;
    std::optional<std::string> xml;  ///< instead of what make_xml() makes
    Habits habits;

    std::vector<std::byte> bytes() const;
    /// Throws std::runtime_error where the file cannot be written.
    void save(std::string const& path, int threads = 2) const;
};

/// The XML of a file as ZEN lays it out, with the sizes that the tiles have.
std::string make_xml(slide::Metadata const& metadata, std::vector<Tile> const& tiles);

/// The attachment "TimeStamps".
std::vector<std::byte> time_stamps(std::vector<double> const& seconds);

/// A mask for Tile::attachment, and the Tile::metadata that go with it.
std::vector<std::byte> mask_attachment(index width, index height,
                                       std::function<bool(index x, index y)> const& valid);
inline constexpr std::string_view mask_metadata =
    "<METADATA><AttachmentSchema><DataFormat>CHUNKCONTAINER</DataFormat></AttachmentSchema>"
    "</METADATA>";

}  // namespace sluice::test

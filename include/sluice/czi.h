// CZI files of ZEISS microscopes: what their segments say, without decoding a pixel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/slide_model.h"
#include "sluice/source.h"

// The layout follows what czifile (BSD-3) and Bio-Formats document; all integers are little-endian.
namespace sluice::czi {

using slide::Attachment, slide::Channel, slide::Mask, slide::Metadata, slide::PixelType;
using slide::dimension_count, slide::dimension_letters, slide::none, slide::PlaneIndex;
using slide::Rect, slide::SceneInfo, slide::SlideOpenOptions, slide::TilePlace, slide::Violation;

/// Numbers as the file has them. What is not named here is refused with its number.
enum class Compression : std::int32_t {
    none = 0,
    jpeg = 1,
    lzw = 2,
    jpeg_xr = 4,
    zstd0 = 5,
    zstd1 = 6,
};

/// Empty for numbers that are not in the table.
std::string_view name_of(Compression compression);

/// One entry of the directory: a sub-block, which holds one tile and seldom several.
struct Entry {
    Rect rect;                                   ///< pixels of the full resolution
    index stored_width = 0, stored_height = 0;   ///< pixels that are stored
    PlaneIndex start = {};                       ///< 0 where the entry lacks the dimension
    PlaneIndex size = {1, 1, 1, 1, 1, 1, 1, 1};  ///< stored planes along each
    std::int32_t scene = none, m = none;         ///< S and M
    PixelType pixel_type = PixelType::gray8;
    Compression compression = Compression::none;
    std::uint8_t pyramid_type = 0;
    std::int32_t file_part = 0;
    std::uint64_t offset = 0;        ///< of the sub-block's segment in the file
    std::uint64_t entry_offset = 0;  ///< of this entry in the file, for messages
    /// The order of the dimensions in the entry, e.g. "XYCZTMS".
    std::array<char, 16> order = {};
};

struct Header {
    std::int32_t major = 0, minor = 0;
    std::array<std::uint8_t, 16> primary_guid = {}, guid = {};
    std::int32_t file_part = 0;
    bool update_pending = false;
    std::uint64_t directory = 0, metadata = 0, attachments = 0;  ///< segments, 0 where absent
};

/// An open CZI file. Copies share the source.
class File {
  public:
    /// Reads header and directory. The segments are walked only with options.recover. The directory
    /// is compared with the tiles' own descriptions: with all of them in a file of up to 4096
    /// tiles, else with those that decide on the extents. Those that differ are an error here.
    static Result<File> open(std::shared_ptr<Source const> source, SlideOpenOptions options = {});

    Source const& source() const { return *source_; }
    std::shared_ptr<Source const> const& shared_source() const { return source_; }
    Header const& header() const { return header_; }
    std::vector<Entry> const& entries() const { return entries_; }
    SlideOpenOptions options() const { return options_; }
    /// What the reader noticed and went on from.
    std::vector<std::string> const& notes() const { return notes_; }

    /// Compares those that open() left out, too: a tile that the directory moved may be hidden
    /// where it is now, and missing where it was. Reads the heads of all tiles, once; later calls,
    /// also of copies, return what was found. Does nothing with trust_directory or recover.
    Status compare_all() const;

    /// Reads the head of an entry's segment: one read of 288 bytes, and one of 8 behind its end. An
    /// error where the tile's own description is not the directory's, or its parts do not fill its
    /// segment. Also where neither another segment nor the end of the file follows it.
    Result<TilePlace> locate(Entry const& entry) const;
    /// The same, and the segment's first bytes, at least 288, or what the file has of them: small
    /// tiles come with their pixels by one read.
    Result<TilePlace> locate(Entry const& entry, std::span<std::byte> head) const;
    /// The XML of the file, empty where there is none; read anew by every call.
    Result<std::string> xml() const;
    /// The attachment directory, read anew by every call.
    Result<std::vector<Attachment>> attachments() const;
    Result<std::vector<std::byte>> read(Attachment const& attachment) const;

  private:
    std::shared_ptr<Source const> source_;
    Header header_;
    std::vector<Entry> entries_;
    std::vector<std::string> notes_;
    SlideOpenOptions options_;
    struct Compared {
        std::mutex mutex;
        std::optional<Status> all;  ///< what compare_all() found
    };
    std::shared_ptr<Compared> compared_ = std::make_shared<Compared>();

    /// Whether entries are compared with the tiles' own descriptions.
    bool compares() const { return !options_.recover && !options_.trust_directory; }
    Status compare_some() const;
    Status compare(std::vector<Entry const*> const& entries) const;
    Result<std::string> compare(Entry const& entry) const;
};

/// Reads the XML; text that is not XML is an error.
Result<Metadata> parse_metadata(std::string_view xml);

/// Where the XML and the directory count differently, in sentences. X, Y and M are left out: real
/// writers leave the size of one tile there.
std::vector<std::string> compare(Metadata const& metadata, std::vector<Entry> const& entries);

/// The time stamps of the attachment "TimeStamps", in seconds.
Result<std::vector<double>> parse_time_stamps(Bytes data);

/// The mask in the attachment of a sub-block; empty (width 0) where there is none.
Result<Mask> parse_mask(Bytes attachment);

/// Walks every segment and compares it with the directory, and the entries with each other.
Result<std::vector<Violation>> check(File const& file);

}  // namespace sluice::czi

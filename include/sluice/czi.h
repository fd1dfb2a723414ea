// CZI files of ZEISS microscopes: what their segments say, without decoding a pixel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <climits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/source.h"

// The layout follows what czifile (BSD-3) and Bio-Formats document; all integers are little-endian.
namespace sluice::czi {

/// Numbers as the file has them.
enum class PixelType : std::int32_t {
    gray8 = 0,
    gray16 = 1,
    gray32_float = 2,
    bgr24 = 3,
    bgr48 = 4,
    bgr96_float = 8,
    bgra32 = 9,
    gray64_complex = 10,
    bgr192_complex = 11,
    gray32 = 12,
    gray64 = 13,
};

/// Numbers as the file has them. What is not named here is refused with its number.
enum class Compression : std::int32_t {
    none = 0,
    jpeg = 1,
    lzw = 2,
    jpeg_xr = 4,
    zstd0 = 5,
    zstd1 = 6,
};

/// The type of one sample of a pixel.
enum class Sample : std::uint8_t { u8, u16, i32, f32, f64, c64 };

/// What a pixel consists of.
struct PixelFormat {
    Sample sample = Sample::u8;
    int samples = 1;  ///< 1, 3 or 4
    int bytes = 1;    ///< of a pixel
};

/// Empty for numbers that are not in the table.
std::string_view name_of(PixelType type);
std::string_view name_of(Compression compression);
/// NumPy's names.
std::string_view name_of(Sample sample);
int size_of(Sample sample);
bool known(PixelType type);
PixelFormat format_of(PixelType type);

/// The dimensions besides X, Y, M and S, in the order of Position.
inline constexpr std::string_view dimension_letters = "CZTRIHVB";
enum Dimension : std::uint8_t { C, Z, T, R, I, H, V, B, dimension_count };
/// One number per dimension.
using Position = std::array<std::int32_t, dimension_count>;

/// Where a number is not given.
inline constexpr std::int32_t none = INT_MIN;

/// A rectangle of pixels.
struct Rect {
    index x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(Rect const&) const = default;
};

/// One entry of the directory: a sub-block, which holds one tile and seldom several.
struct Entry {
    Rect rect;                                  ///< pixels of the full resolution
    index stored_width = 0, stored_height = 0;  ///< pixels that are stored
    Position start = {};                        ///< 0 where the entry lacks the dimension
    Position size = {1, 1, 1, 1, 1, 1, 1, 1};   ///< stored planes along each
    std::int32_t scene = none, m = none;        ///< S and M
    PixelType pixel_type = PixelType::gray8;
    Compression compression = Compression::none;
    std::uint8_t pyramid_type = 0;
    std::int32_t file_part = 0;
    std::uint64_t offset = 0;        ///< of the sub-block's segment in the file
    std::uint64_t entry_offset = 0;  ///< of this entry in the file, for messages
    /// The order of the dimensions in the entry, e.g. "XYCZTMS".
    std::array<char, 16> order = {};
};

/// Where the parts of a sub-block are.
struct SubBlock {
    std::uint64_t metadata = 0, metadata_size = 0;
    std::uint64_t data = 0, data_size = 0;
    std::uint64_t attachment = 0, attachment_size = 0;
};

struct Attachment {
    std::string name, content_type;  ///< e.g. "Thumbnail", "JPG"
    std::uint64_t data = 0, data_size = 0;
    std::string problem;  ///< why it cannot be read, or empty
};

struct Header {
    std::int32_t major = 0, minor = 0;
    std::array<std::uint8_t, 16> primary_guid = {}, guid = {};
    std::int32_t file_part = 0;
    bool update_pending = false;
    std::uint64_t directory = 0, metadata = 0, attachments = 0;  ///< segments, 0 where absent
};

struct OpenOptions {
    /// Walk all segments instead of trusting the directory: for files that were not finished.
    bool recover = false;
    /// Take tiles as the directory describes them, also where their own descriptions differ.
    bool trust_directory = false;
};

/// An open CZI file. Copies share the source.
class File {
  public:
    /// Reads header and directory. The segments are walked only with options.recover. The directory
    /// is compared with the tiles' own descriptions: with all of them in a file of up to 4096
    /// tiles, else with those that decide on the extents. Those that differ are an error here.
    static Result<File> open(std::shared_ptr<Source const> source, OpenOptions options = {});

    Source const& source() const { return *source_; }
    std::shared_ptr<Source const> const& shared_source() const { return source_; }
    Header const& header() const { return header_; }
    std::vector<Entry> const& entries() const { return entries_; }
    OpenOptions options() const { return options_; }
    /// What the reader noticed and went on from.
    std::vector<std::string> const& notes() const { return notes_; }

    /// Compares those that open() left out, too: a tile that the directory moved may be hidden
    /// where it is now, and missing where it was. Reads the heads of all tiles, once; later calls,
    /// also of copies, return what was found. Nothing with trust_directory or recover.
    Status compare_all() const;

    /// Reads the head of an entry's segment: one read of 288 bytes. An error where the tile's own
    /// description is not the directory's, or where its parts do not fill its segment.
    Result<SubBlock> locate(Entry const& entry) const;
    /// The same, and the segment's first bytes, at least 288, or what the file has of them: small
    /// tiles come with their pixels by one read.
    Result<SubBlock> locate(Entry const& entry, std::span<std::byte> head) const;
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
    OpenOptions options_;
    struct Compared {
        std::mutex mutex;
        std::optional<Status> all;  ///< what compare_all() found
    };
    std::shared_ptr<Compared> compared_ = std::make_shared<Compared>();

    /// Whether entries are compared with the tiles' own.
    bool compares() const { return !options_.recover && !options_.trust_directory; }
    Status compare_some() const;
    Status compare(std::vector<Entry const*> const& entries) const;
    Result<std::string> compare(Entry const& entry) const;
};

/// A channel as the XML describes it.
struct Channel {
    int index = 0;
    std::string id, name, fluor;
    std::string color;  ///< "RRGGBB", or empty
    double excitation_nm = 0, emission_nm = 0, exposure_ms = 0;
    int bits = 0;              ///< of a component, 0 where unknown
    double low = 0, high = 0;  ///< display window, 0..1 of the range; both 0: unknown
};

/// A scene as the XML describes it.
struct SceneInfo {
    int index = 0;
    std::string name;
    std::string well;         ///< e.g. "D6", or empty
    int row = 0, column = 0;  ///< of the well, from 1; 0 where there is none
};

/// What the XML says; a file may lack any of it.
struct Metadata {
    double x_um = 0, y_um = 0, z_um = 0;  ///< size of a pixel, 0 where unknown
    double t_s = 0;                       ///< between two time points
    std::vector<Channel> channels;
    std::vector<SceneInfo> scenes;
    std::string acquired, objective, application, title, pixel_type;
    std::array<int, dimension_count> sizes =
        {};  ///< what it says of each dimension, 0 where nothing
    int scene_count = 0;
};

/// Reads the XML; text that is no XML is an error.
Result<Metadata> parse_metadata(std::string_view xml);

/// Where the XML and the directory count differently, in sentences. X, Y and M are left out: real
/// writers leave the size of one tile there.
std::vector<std::string> compare(Metadata const& metadata, std::vector<Entry> const& entries);

/// The time stamps of the attachment "TimeStamps", in seconds.
Result<std::vector<double>> parse_time_stamps(Bytes data);

/// Which pixels of a tile hold an image: one bit each, 1 = valid.
struct Mask {
    index width = 0, height = 0, stride = 0;
    std::vector<std::uint8_t> bits;
    /// Pixels outside of the mask are not valid.
    bool valid(index x, index y) const {
        if (x < 0 || y < 0 || x >= width || y >= height) return false;
        return bits[static_cast<std::size_t>(y * stride + x / 8)] >> (7 - x % 8) & 1;
    }
};

/// The mask in the attachment of a sub-block; empty (width 0) where there is none.
Result<Mask> parse_mask(Bytes attachment);

/// A rule of the format that a file breaks.
struct Violation {
    std::string rule, message;
    std::uint64_t at = 0;  ///< byte offset in the file
    bool note = false;     ///< odd, and seen in files of good writers
};

/// Walks every segment and compares it with the directory, and the entries with each other.
Result<std::vector<Violation>> check(File const& file);

}  // namespace sluice::czi

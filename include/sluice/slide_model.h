// What slides of every format are described with: pixels, dimensions, places, channels and scenes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <climits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/dtype.h"

namespace sluice::slide {

/// The pixels that slides have, by the names of ZEISS; the numbers are those of CZI files. Other
/// formats have those that are real.
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

/// What a pixel consists of.
struct PixelFormat {
    DType sample = DType::u8;
    int samples = 1;  ///< 1, 3 or 4
    int bytes = 1;    ///< of a pixel
};

/// Empty for numbers that are not in the table.
std::string_view name_of(PixelType type);
bool known(PixelType type);
PixelFormat format_of(PixelType type);

/// The dimensions besides X, Y, M and S, in the order of PlaneIndex.
inline constexpr std::string_view dimension_letters = "CZTRIHVB";
enum Dimension : std::uint8_t { C, Z, T, R, I, H, V, B, dimension_count };
/// One number per dimension.
using PlaneIndex = std::array<std::int32_t, dimension_count>;

/// Where a number is not given.
inline constexpr std::int32_t none = INT_MIN;

/// A rectangle of pixels.
struct Rect {
    index x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(Rect const&) const = default;
};

/// A channel as the file describes it.
struct Channel {
    int index = 0;
    std::string id, name, fluor;
    std::string color;  ///< "RRGGBB", or empty
    double excitation_nm = 0, emission_nm = 0, exposure_ms = 0;
    int bits = 0;              ///< of a component, 0 where unknown
    double low = 0, high = 0;  ///< display window, 0..1 of the range; both 0: unknown
};

/// A scene as the file describes it.
struct SceneInfo {
    int index = 0;
    std::string name;
    std::string well;         ///< e.g. "D6", or empty
    int row = 0, column = 0;  ///< of the well, from 1; 0 where there is none
};

/// What a file says of itself; it may lack any of it.
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

/// Where the parts of a stored tile are. A format without masks has `data` only.
struct TilePlace {
    std::uint64_t metadata = 0, metadata_size = 0;
    std::uint64_t data = 0, data_size = 0;
    std::uint64_t attachment = 0, attachment_size = 0;
};

/// What a file has beside its tiles: a label, a thumbnail, time stamps.
struct Attachment {
    std::string name, content_type;  ///< e.g. "Thumbnail", "JPG"
    std::uint64_t data = 0, data_size = 0;
    std::string problem;  ///< why it cannot be read, or empty
};

/// A rule of the format that a file breaks.
struct Violation {
    std::string rule, message;
    std::uint64_t at = 0;  ///< byte offset in the file
    bool note = false;     ///< odd, and seen in files of good writers
};

/// How far the directory of a file is trusted. A format without a directory refuses both.
struct SlideOpenOptions {
    /// Walk all segments instead of trusting the directory: for files that were not finished.
    bool recover = false;
    /// Take tiles as the directory describes them, also where their own descriptions differ.
    bool trust_directory = false;
};

/// What a file says of itself and how it stores its tiles.
struct SlideFacts {
    std::array<std::int32_t, 2> version = {};  ///< of the file; zeros where the format has none
    std::array<std::uint8_t, 16> guid = {}, primary_guid = {};
    std::int32_t file_part = 0;  ///< of a slide in several files
    bool update_pending = false;
    index entries = 0;  ///< stored pieces: each has a tile, and seldom several
    std::map<std::string, index> pixel_types, compressions;  ///< how many pieces have each
};

}  // namespace sluice::slide

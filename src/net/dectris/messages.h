// The messages of DECTRIS' Stream V2: start, image and end of a series.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "net/cbor/typed_array.h"

namespace sluice::net::dectris {

/// Larger numbers in a message are wrong.
constexpr std::uint64_t most_extent = 1 << 15, most_images = std::uint64_t{1} << 40;

/// What a series says of itself before its images.
struct Start {
    std::uint64_t series_id = 0;
    std::string series_unique_id = {};
    index images = 0;
    index rows = 0, cols = 0;
    DType dtype = DType::u16;
    std::vector<std::string> channels = {};
    std::optional<std::uint64_t> saturation = {};
    bool mask_applied = false;  ///< masked pixels are all-ones
    std::map<std::string, std::vector<std::uint32_t>> pixel_masks =
        {};  ///< of channels, [row][col]
    double energy_ev = 0, frame_time_s = 0, count_time_s = 0, pixel_m = 0;  ///< 0: not said
    double sensor_m = 0;                              ///< its thickness; 0: not said
    std::map<std::string, double> threshold_ev = {};  ///< of channels
    std::string detector = {}, serial_number = {}, arm_date = {}, sensor = {};
    /// The scan, where whoever runs it wrote it into the user data: {"scan": [rows, columns]}.
    std::optional<std::array<index, 2>> scan = {};
};

/// What an image takes that is not compressed.
inline std::uint64_t image_bytes(Start const& start) {
    return static_cast<std::uint64_t>(start.rows * start.cols * size_of(start.dtype));
}

/// An image of one channel. The bytes are those of the message.
struct Image {
    std::uint64_t series_id = 0, image_id = 0;
    cbor::TypedArray data = {};
    bool has_channel = false;     ///< the channel that was asked for
    std::string_view other = {};  ///< else the first one that there is
};

enum class Type : std::uint8_t { start, image, end, unknown };

/// Which message it is; the reader is then at its next key, with so many pairs left.
struct Opened {
    Type type = Type::unknown;
    cbor::Items items = {};
    std::string name = {};  ///< of an unknown one
};
Result<Opened> open_message(cbor::Reader& reader);

/// After open_message(). What else there is in them is passed over.
Result<Start> read_start(cbor::Reader& reader, cbor::Items items);
/// `room` holds what the message has in pieces. Without a name the channel is the only one.
Result<Image> read_image(cbor::Reader& reader, cbor::Items items, std::string_view channel,
                         std::vector<std::byte>& room);
Result<std::uint64_t> read_end(cbor::Reader& reader, cbor::Items items);

/// As a detector sends them.
std::vector<std::byte> write_start(Start const& start);
std::vector<std::byte> write_image(Image const& image, Start const& start, Bytes data);
std::vector<std::byte> write_end(Start const& start);

}  // namespace sluice::net::dectris

// The messages of DECTRIS' Stream V1: parts of JSON and bytes.
// Source: SIMPLON API 1.8, and LiberTEM-rs (MIT).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/frame_source.h"
#include "net/dectris/messages.h"
#include "net/json/object.h"

namespace sluice::net::dectris {

using Parts = std::span<Bytes const>;
constexpr std::size_t most_parts = 16;  ///< a header with all details has 9

/// What a header says. With `header_detail: none` it says neither shape nor type nor how many.
struct Header {
    Start start = {};  ///< images, rows or cols 0: not said
    std::optional<DType> dtype = {};
    std::string lacks = {};  ///< what it announces and does not have
    bool complete() const { return start.rows > 0 && start.cols > 0 && dtype.has_value(); }
};

/// How an image is encoded.
struct Packed {
    Encoding encoding = Encoding::values;
    int shuffled_bytes = 0;
};
/// "bs16-lz4<" and others; nothing for what cannot be decoded.
std::optional<Packed> packed_of(std::string_view encoding);

struct ImageParts {
    std::uint64_t series = 0, frame = 0;
    index rows = 0, cols = 0;
    DType dtype = DType::u16;
    std::string encoding = {};
    Bytes bytes = {};
};

/// Which message it is, by its first part.
struct OpenedParts {
    Type type = Type::unknown;
    std::string name = {};  ///< "dimage-1.0"
    std::uint64_t series = 0, frame = 0;
    std::string detail = {};  ///< of a header
    std::string hash = {};    ///< of an image: the MD5 of its bytes, where the detector computes it
};
Result<OpenedParts> open_parts(Parts parts);
Result<Header> read_header(Parts parts, OpenedParts const& opened);
Result<ImageParts> read_image(Parts parts, OpenedParts const& opened);

/// As a detector sends them; `detail` is none, basic or all.
enum class HeaderDetail : std::uint8_t { none, basic, all };
using Part = std::shared_ptr<std::vector<std::byte> const>;
std::vector<Part> write_header_parts(Start const& start, HeaderDetail detail);
std::vector<Part> write_image_parts(Start const& start, std::uint64_t frame,
                                    std::string_view encoding, Bytes data);
std::vector<Part> write_end_parts(Start const& start);

}  // namespace sluice::net::dectris

// What the headers of MetaImage and NRRD files say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/raw/flat_source.h"
#include "sluice/volume.h"

namespace sluice::volume {

/// Entries per axis are in the order of the file: x first.
struct Header {
    std::vector<index> sides;
    std::vector<double> spacing, origin;  ///< mm; empty where not told
    AxisDirections direction = straight_axes;
    StoredType type;
    bool packed = false;    ///< by zlib or gzip
    std::string data_file;  ///< empty: behind the header
    /// Bytes before the elements; none: they are the last of the file.
    std::optional<std::uint64_t> data_at = 0;
    std::optional<std::uint64_t> packed_bytes = {};  ///< of packed elements; none: not told
    std::string content;
};

/// `text` begins with the header and may go on after it. Errors name the line.
Result<Header> parse_metaimage(std::string_view text);
Result<Header> parse_nrrd(std::string_view text);

/// Of a MetaImage, NRRD or NPY file.
Result<Header> read_header(File const& file);

/// Vectors of two or three components as the directions of as many axes; lengths do not count. The
/// third direction of a plane is square to both. Errors: a vector without a length.
Result<AxisDirections> directions_along(std::vector<std::vector<double>> const& vectors);

constexpr index most_elements = index{1} << 30;

/// Two or three sides, and no more elements than that.
Status check_sides(std::vector<index> const& sides);
index count(std::vector<index> const& sides);
/// Whether so many floats may be in memory: at most `most_bytes`, and what is free.
Status check_memory(std::vector<index> const& sides, std::uint64_t most_bytes);

}  // namespace sluice::volume

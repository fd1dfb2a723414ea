// @Name@ files: one sentence on who writes them.
// Source: the specification this follows, with its version.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/table.h"

namespace sluice::@name@ {

/// What the head of a file says: 16 bytes, all numbers little-endian.
struct Header {
    index frames = 0, rows = 0, cols = 0;
    std::uint64_t data_at = 0;  ///< byte offset of the first frame
};

/// Reads the header of a file of `file_size` bytes; Error::at is the offset of what is wrong.
Result<Header> parse_header(Bytes head, std::uint64_t file_size);

bool recognises(std::string_view path, Bytes head);
Result<Dataset> open(std::string const& path, OpenOptions const& options);

inline constexpr Format format{"@name@", "@Name@ file", recognises, open};

}  // namespace sluice::@name@

// How the segments of a CZI file are laid out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "base/bytes.h"
#include "sluice/czi.h"

namespace sluice::czi {

inline constexpr std::size_t segment_header = 32;
inline constexpr std::size_t entry_head = 32, entry_dimension = 20;
/// Where the parts of a sub-block begin after its header, whatever its entry is shorter than.
inline constexpr std::size_t sub_block_head = 256;
/// These bytes of a sub-block say where its parts are, and describe it if it has few dimensions.
inline constexpr std::size_t sub_block_read = segment_header + sub_block_head;
/// The shortest entry: X and Y.
inline constexpr std::size_t least_entry = entry_head + 2 * entry_dimension;
inline constexpr std::size_t attachment_head = 256;
inline constexpr std::int32_t max_dimensions = 64;

/// The head of a segment. `used` is what its content says it needs; 0 in old files means all.
struct Segment {
    std::string id;
    std::uint64_t offset = 0, allocated = 0, used = 0;
    bool used_known = false;  ///< whether `used` is the file's own, and possible
    std::uint64_t content() const { return offset + segment_header; }
    std::uint64_t next() const { return content() + allocated; }
};

/// Reads the head at `offset` and checks that the segment ends inside of the file.
Result<Segment> read_segment(Source const& source, std::uint64_t offset);
/// The same, and that it is of the kind `id`.
Result<Segment> read_segment(Source const& source, std::uint64_t offset, std::string_view id);

/// Whether the segment at `offset` ends where another begins, or the file ends: bytes that are
/// missing in it or too many move its content. Of a file that is being recovered, zeros may follow.
/// `known` are the file's bytes from `offset` on that were read.
Status check_end(Source const& source, std::uint64_t offset, std::uint64_t end, bool recovering,
                 Bytes known = {});

/// Parses one directory entry at the beginning of `bytes`, which lie at `offset` in the file.
/// Returns its length.
Result<std::size_t> parse_entry(Bytes bytes, std::uint64_t offset, Source const& source,
                                Entry& out);

/// The entries of the directory whose segment is at `at`.
Result<std::vector<Entry>> read_directory(Source const& source, std::uint64_t at);

/// How two descriptions of a tile differ; empty where pixels do not depend on the difference.
std::string difference(Entry const& directory, Entry const& own);
/// How the description in a sub-block, whose segment begins with `head`, differs from the
/// directory's entry.
Result<std::string> difference(Source const& source, Entry const& entry, Bytes head);
/// Why a tile is not read whose descriptions differ.
Error differs(Source const& source, Entry const& entry, std::string_view difference);

/// Finds the sub-blocks, and the metadata and attachment directories, by walking the segments;
/// damaged stretches are skipped and noted.
Result<std::vector<Entry>> recover_entries(Source const& source, Header& header,
                                           std::vector<std::string>& notes);

inline Error damaged(Source const& source, std::uint64_t at, std::string message) {
    return {Code::corrupt, std::move(message), source.name(), at};
}

}  // namespace sluice::czi

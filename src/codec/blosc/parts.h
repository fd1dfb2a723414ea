// A Blosc 1 chunk: a header, the places of the blocks, blocks of one or more streams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::codec::blosc {

inline constexpr std::size_t header_bytes = 16;
inline constexpr unsigned byte_shuffled = 1, stored = 2, bit_shuffled = 4, never_split = 16;
inline constexpr unsigned of_lz4 = 1;  ///< Header::codec

struct Header {
    unsigned version = 0, flags = 0, codec = 0;
    std::size_t element = 1, bytes = 0, block = 1;

    std::size_t blocks() const { return bytes == 0 ? 0 : (bytes - 1) / block + 1; }
    /// Of block `b`: the last one may be shorter.
    std::size_t bytes_of(std::size_t b) const { return std::min(block, bytes - b * block); }
    /// Streams of a block: one, or one for each byte of an element.
    std::size_t streams_of(std::size_t b) const;
};

Error damaged(std::string what, std::size_t at);

/// `room`: bytes that the chunk may hold. All blocks of a chunk that is not `stored` have a place
/// in it; what that says is not looked at.
Result<Header> read_header(Bytes chunk, std::size_t room);

/// Fills `out` out of a stream of a chunk. Code::unsupported for Snappy.
Status decode_stream(Bytes chunk, Header const& h, Bytes stream, std::span<std::byte> out);

/// Calls act(stream, n) -> Status for the streams of block `b` of a chunk that is not `stored`. One
/// that is as long as what it holds stands as it is.
template <class Act>
Status for_each_stream(Bytes chunk, Header const& h, std::size_t b, Act act) {
    expects(!(h.flags & stored));
    std::size_t const streams = h.streams_of(b);
    if (h.bytes_of(b) % streams != 0) return damaged("with a block of broken elements", 8);
    std::size_t at = load_le<std::uint32_t>(chunk.data() + header_bytes + 4 * b);
    for (std::size_t s = 0; s < streams; ++s) {
        if (at > chunk.size() || chunk.size() - at < 4) return damaged("ends in a block", at);
        auto const size = load_le<std::uint32_t>(chunk.data() + at);
        at += 4;
        if (size > chunk.size() - at) return damaged("with a block that is too long", at);
        SLUICE_CHECK(act(chunk.subspan(at, size), s));
        at += size;
    }
    return {};
}

}  // namespace sluice::codec::blosc

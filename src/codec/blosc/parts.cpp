// The header and the streams of Blosc 1 chunks; every length in them is checked.
// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc/parts.h"

#include <fmt/format.h>

#include "codec/blosc/blosc.h"
#include "codec/deflate/deflate.h"
#include "codec/lz4/lz4.h"
#include "codec/zstd/zstd.h"

namespace sluice::codec::blosc {

namespace {

Result<std::size_t> decompress(unsigned codec, Bytes in, std::span<std::byte> out) {
    switch (codec) {
        case 0:
            return blosclz_decompress(in, out);
        case 1:  // LZ4 and LZ4HC
            SLUICE_CHECK(lz4_decompress(in, out));
            return out.size();
        case 3:
            return inflate_zlib(in, out);
        case 4:
            SLUICE_CHECK(zstd_decompress(in, out));
            return out.size();
        default:
            return Error{Code::unsupported,
                         fmt::format("a Blosc chunk with codec {} (BloscLZ, LZ4, zlib and zstd are "
                                     "read, Snappy is not); rewrite it with h5repack -f NONE",
                                     codec)};
    }
}

}  // namespace

Error damaged(std::string what, std::size_t at) {
    return {Code::corrupt, "a Blosc chunk " + std::move(what) + "; the file is damaged", {}, at};
}

Result<Header> read_header(Bytes chunk, std::size_t room) {
    if (chunk.size() < header_bytes) return damaged("shorter than its header", 0);
    Header h;
    h.version = std::to_integer<unsigned>(chunk[0]);
    h.flags = std::to_integer<unsigned>(chunk[2]);
    h.codec = h.flags >> 5;
    h.element = std::max<std::size_t>(1, std::to_integer<std::size_t>(chunk[3]));
    h.bytes = load_le<std::uint32_t>(chunk.data() + 4);
    h.block = load_le<std::uint32_t>(chunk.data() + 8);
    auto const packed = load_le<std::uint32_t>(chunk.data() + 12);
    if (h.version < 1 || h.version > 2)
        return Error{Code::unsupported,
                     fmt::format("a Blosc chunk of version {} (1 and 2 are read)", h.version)};
    if (h.bytes > room)
        return damaged(fmt::format("that says it holds {} bytes of {}", h.bytes, room), 4);
    if (packed > chunk.size() || (h.bytes > 0 && h.block == 0))
        return damaged("with absurd sizes in its header", 8);
    if (!(h.flags & stored) && h.blocks() > (chunk.size() - header_bytes) / 4)
        return damaged("with too many blocks", 8);
    return h;
}

Status decode_stream(Bytes chunk, Header const& h, Bytes stream, std::span<std::byte> out) {
    if (stream.size() == out.size()) {  // what cannot be compressed stands as it is
        std::ranges::copy(stream, out.begin());
        return {};
    }
    SLUICE_TRY(std::size_t const n, decompress(h.codec, stream, out));
    if (n == out.size()) return {};
    return damaged("with a block that is too short",
                   static_cast<std::size_t>(stream.data() + stream.size() - chunk.data()));
}

std::size_t Header::streams_of(std::size_t b) const {
    bool const split = (flags & never_split) == 0 && element <= 16 && block / element >= 128 &&
                       bytes_of(b) == block;
    return split ? element : 1;
}

}  // namespace sluice::codec::blosc

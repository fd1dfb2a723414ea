// Blosc 1 chunks: a header, the places of the blocks, blocks of one or more streams.
// SPDX-License-Identifier: Apache-2.0
#include "codec/blosc/blosc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "codec/bitshuffle/transpose.h"
#include "codec/deflate/deflate.h"
#include "codec/lz4/lz4.h"
#include "codec/shuffle/shuffle.h"
#include "codec/zstd/zstd.h"
#include "device/isa.h"

namespace sluice::codec {
namespace {

constexpr std::size_t header_bytes = 16;
constexpr unsigned byte_shuffled = 1, stored = 2, bit_shuffled = 4, never_split = 16;

struct Header {
    unsigned version = 0, flags = 0, codec = 0;
    std::size_t element = 1, bytes = 0, block = 1;
};

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
    return h;
}

Result<std::size_t> decode_stream(unsigned codec, Bytes in, std::span<std::byte> out) {
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

/// A block is one stream, or one for each byte of an element.
Status decode_streams(Bytes chunk, std::size_t at, Header const& h, std::size_t streams,
                      std::span<std::byte> out) {
    if (out.size() % streams != 0) return damaged("with a block of broken elements", 8);
    std::size_t const each = out.size() / streams;
    for (std::size_t s = 0; s < streams; ++s) {
        if (at > chunk.size() || chunk.size() - at < 4) return damaged("ends in a block", at);
        auto const size = load_le<std::uint32_t>(chunk.data() + at);
        at += 4;
        if (size > chunk.size() - at) return damaged("with a block that is too long", at);
        Bytes const in = chunk.subspan(at, size);
        std::span const to = out.subspan(s * each, each);
        at += size;
        if (size == each) {  // what cannot be compressed stands as it is
            if (each > 0) std::memcpy(to.data(), in.data(), each);
            continue;
        }
        SLUICE_TRY(std::size_t const n, decode_stream(h.codec, in, to));
        if (n != each) return damaged("with a block that is too short", at);
    }
    return {};
}

bool has_bits(std::byte const* from, std::size_t bytes) {
    std::size_t i = 0;
    for (; i + 64 <= bytes; i += 64) {
        std::uint64_t words[8], any = 0;
        std::memcpy(words, from + i, sizeof words);
        for (std::uint64_t const word : words) any |= word;
        if (any != 0) return true;
    }
    return std::any_of(from + i, from + bytes, [](std::byte b) { return b != std::byte{}; });
}

// Planes of a block lie a power of two apart, where a cache holds few of them: a stretch of each
// is copied first. The upper planes of counts are empty.
void undo_bits(Bytes planes, std::size_t element, std::byte* out) {
    constexpr std::size_t room = 16384;
    alignas(64) std::array<std::byte, room> near;
    std::size_t const count = 8 * element, stride = planes.size() / count;
    std::size_t const some = room / count / 64 * 64;
    for (std::size_t at = 0; at < stride; at += some) {
        std::size_t const bytes = std::min(some, stride - at);
        std::size_t filled = count;
        while (filled > 0 && !has_bits(planes.data() + (filled - 1) * stride + at, bytes)) --filled;
        for (std::size_t p = 0; p < filled; ++p)
            std::memcpy(near.data() + p * some, planes.data() + p * stride + at, bytes);
        transpose(chosen_isa())
            .unpack(near.data(), static_cast<index>(some), static_cast<int>(filled),
                    static_cast<int>(element), static_cast<index>(8 * bytes),
                    out + 8 * at * element);
    }
}

Status undo_shuffle(Header const& h, Bytes in, std::span<std::byte> out) {
    if (h.flags & byte_shuffled) return unshuffle(in, static_cast<int>(h.element), out);
    // Of whole groups of eight elements; else the block is not shuffled at all.
    std::size_t const elements = in.size() / h.element;
    std::size_t const done = elements % 8 == 0 ? elements * h.element : 0;
    if (done > 0 && h.element <= 8)
        undo_bits(in.first(done), h.element, out.data());
    else if (done > 0)
        transpose(chosen_isa())
            .unpack(in.data(), static_cast<index>(elements / 8), static_cast<int>(8 * h.element),
                    static_cast<int>(h.element), static_cast<index>(elements), out.data());
    if (done < in.size()) std::memcpy(out.data() + done, in.data() + done, in.size() - done);
    return {};
}

bool shuffled(Header const& h) {
    return ((h.flags & byte_shuffled) && h.element > 1) || (h.flags & bit_shuffled);
}

std::size_t streams_of(Header const& h, std::size_t bytes) {
    bool const split = (h.flags & never_split) == 0 && h.element <= 16 &&
                       h.block / h.element >= 128 && bytes == h.block;
    return split ? h.element : 1;
}

}  // namespace

Result<std::size_t> blosc_decompress(Bytes chunk, std::span<std::byte> out) {
    SLUICE_TRY(Header const h, read_header(chunk, out.size()));
    if (h.flags & stored) {
        if (h.bytes > chunk.size() - header_bytes) return damaged("cut off", chunk.size());
        if (h.bytes > 0) std::memcpy(out.data(), chunk.data() + header_bytes, h.bytes);
        return h.bytes;
    }
    std::size_t const blocks = h.bytes == 0 ? 0 : (h.bytes - 1) / h.block + 1;
    if (blocks > (chunk.size() - header_bytes) / 4) return damaged("with too many blocks", 8);
    std::vector<std::byte> planes(std::min(h.block, h.bytes));
    for (std::size_t b = 0; b < blocks; ++b) {
        std::size_t const begin = b * h.block, bytes = std::min(h.block, h.bytes - begin);
        auto const at = load_le<std::uint32_t>(chunk.data() + header_bytes + 4 * b);
        std::span const to = out.subspan(begin, bytes);
        std::span const first = shuffled(h) ? std::span(planes).first(bytes) : to;
        SLUICE_CHECK(decode_streams(chunk, at, h, streams_of(h, bytes), first));
        if (shuffled(h)) SLUICE_CHECK(undo_shuffle(h, first, to));
    }
    return h.bytes;
}

}  // namespace sluice::codec

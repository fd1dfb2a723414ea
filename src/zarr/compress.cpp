// Blosc by its library, each call on the thread that makes it, and zstd.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/compress.h"

#include <blosc.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "codec/crc32c/crc32c.h"
#include "codec/zstd/zstd.h"

namespace sluice::zarr {
namespace {

bool in_blosc(Codec const& codec) {
    return codec.compressor == Compressor::blosc_lz4 || codec.compressor == Compressor::blosc_zstd;
}

// The length of what it makes of them, at the beginning of `out`.
Result<std::size_t> compress_blosc(Bytes bytes, Codec const& codec, index element,
                                   std::vector<std::byte>& out) {
    bool const zstd = codec.compressor == Compressor::blosc_zstd;
    int const bytewise = element > 1 ? BLOSC_SHUFFLE : BLOSC_NOSHUFFLE;
    // What Blosc makes of bytes that hardly shrink depends on how much room it is told of.
    std::size_t const room = bytes.size() + BLOSC_MAX_OVERHEAD;
    out.resize(std::max(out.size(), room));
    int const n =
        blosc_compress_ctx(codec.level, codec.bits ? BLOSC_BITSHUFFLE : bytewise,
                           static_cast<std::size_t>(element), bytes.size(), bytes.data(),
                           out.data(), room, zstd ? BLOSC_ZSTD_COMPNAME : BLOSC_LZ4_COMPNAME, 0, 1);
    if (n <= 0)
        return Error{
            Code::invalid_argument,
            fmt::format("Blosc cannot compress a chunk of {} bytes (error {}) give another "
                        "chunk size or codec",
                        bytes.size(), n)};
    return static_cast<std::size_t>(n);
}

Status decompress_blosc(Bytes encoded, std::span<std::byte> out) {
    std::size_t size = 0;
    if (blosc_cbuffer_validate(encoded.data(), encoded.size(), &size) != 0 || size != out.size())
        return Error{Code::corrupt,
                     "a chunk that is not a Blosc buffer of the right size; write it "
                     "again"};
    int const n = blosc_decompress_ctx(encoded.data(), out.data(), out.size(), 1);
    if (n < 0 || static_cast<std::size_t>(n) != out.size())
        return Error{Code::corrupt,
                     fmt::format("a damaged Blosc chunk (error {}); write it again", n)};
    return {};
}

}  // namespace

Result<Bytes> compress(Bytes bytes, Codec const& codec, index element,
                       std::vector<std::byte>& out) {
    if (codec.compressor == Compressor::none && !codec.crc32c) return bytes;
    std::size_t size = 0;
    if (in_blosc(codec)) {
        SLUICE_TRY(size, compress_blosc(bytes, codec, element, out));
    } else if (codec.compressor == Compressor::zstd) {
        out.clear();
        size = codec::zstd_compress(bytes, out, codec.level, codec::ZstdChecksum::of_content);
    } else {
        out.assign(bytes.begin(), bytes.end());
        size = bytes.size();
    }
    if (codec.crc32c) {
        std::uint32_t const sum = codec::crc32c(Bytes(out).first(size));
        out.resize(std::max(out.size(), size + sizeof sum));
        for (int i = 0; i < 4; ++i) out[size++] = static_cast<std::byte>(sum >> (8 * i));
    }
    return Bytes(out).first(size);
}

Status decompress(Bytes encoded, Codec const& codec, std::span<std::byte> out) {
    if (codec.crc32c) {
        SLUICE_TRY(encoded, without_crc32c(encoded));
    }
    if (in_blosc(codec)) return decompress_blosc(encoded, out);
    if (codec.compressor == Compressor::zstd) return codec::zstd_decompress(encoded, out);
    if (encoded.size() != out.size())
        return Error{Code::corrupt, fmt::format("a chunk of {} bytes instead of {}; write it again",
                                                encoded.size(), out.size())};
    std::memcpy(out.data(), encoded.data(), out.size());
    return {};
}

Result<Bytes> without_crc32c(Bytes bytes) {
    auto const bad = [](std::string_view what) {
        return Error{Code::corrupt, fmt::format("{}; write it again", what)};
    };
    if (bytes.size() < 4) return bad("a chunk shorter than its checksum");
    Bytes const body = bytes.first(bytes.size() - 4);
    if (load_le<std::uint32_t>(body.data() + body.size()) != codec::crc32c(body))
        return bad("a chunk whose checksum is wrong");
    return body;
}

}  // namespace sluice::zarr

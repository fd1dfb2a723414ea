// Zstandard frames, by the zstd library.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zstd/zstd.h"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>

namespace sluice::codec {
namespace {

// A context has tables and room for literals, 160 kB whose pages the system would make anew for
// each frame. Null where there is no memory for it.
ZSTD_DCtx* context() {
    struct Free {
        void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
    };
    thread_local std::unique_ptr<ZSTD_DCtx, Free> const kept(ZSTD_createDCtx());
    return kept.get();
}

ZSTD_CCtx* compressor() {
    struct Free {
        void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
    };
    thread_local std::unique_ptr<ZSTD_CCtx, Free> const kept(ZSTD_createCCtx());
    return kept.get();
}

}  // namespace

Result<std::size_t> zstd_decompress_some(Bytes frame, std::span<std::byte> out) {
    ZSTD_DCtx* const kept = context();
    std::size_t const n =
        kept ? ZSTD_decompressDCtx(kept, out.data(), out.size(), frame.data(), frame.size())
             : ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
    if (ZSTD_isError(n))
        return Error{Code::corrupt, fmt::format("not a valid zstd block ({}); the file is damaged",
                                                ZSTD_getErrorName(n))};
    return n;
}

Status zstd_decompress(Bytes frame, std::span<std::byte> out) {
    SLUICE_TRY(std::size_t const n, zstd_decompress_some(frame, out));
    if (n != out.size())
        return Error{Code::corrupt,
                     fmt::format("zstd block expands to {} bytes instead of {}; the file is "
                                 "damaged",
                                 n, out.size())};
    return {};
}

Result<std::uint64_t> zstd_content_size(Bytes frame) {
    unsigned long long const size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (size == ZSTD_CONTENTSIZE_ERROR)
        return Error{Code::corrupt, "not the beginning of a zstd frame; the file is damaged"};
    if (size == ZSTD_CONTENTSIZE_UNKNOWN)
        return Error{Code::unsupported, "a zstd frame that does not say its size"};
    return std::uint64_t{size};
}

std::size_t zstd_compress(Bytes bytes, std::vector<std::byte>& out, int level,
                          ZstdChecksum checksum) {
    std::size_t const begin = out.size(), bound = ZSTD_compressBound(bytes.size());
    out.resize(begin + bound);
    ZSTD_CCtx* const kept = compressor();
    bool const set = kept &&
                     !ZSTD_isError(ZSTD_CCtx_setParameter(kept, ZSTD_c_compressionLevel, level)) &&
                     !ZSTD_isError(ZSTD_CCtx_setParameter(
                         kept, ZSTD_c_checksumFlag, checksum == ZstdChecksum::of_content ? 1 : 0));
    expects(set);
    std::size_t const n =
        ZSTD_compress2(kept, out.data() + begin, bound, bytes.data(), bytes.size());
    expects(!ZSTD_isError(n));
    out.resize(begin + n);
    return n;
}

}  // namespace sluice::codec

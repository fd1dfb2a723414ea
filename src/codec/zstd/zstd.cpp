// Zstandard frames, by the zstd library.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zstd/zstd.h"

#include <fmt/format.h>
#include <zstd.h>

namespace sluice::codec {

Status zstd_decompress(Bytes frame, std::span<std::byte> out) {
    std::size_t const n = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
    if (ZSTD_isError(n))
        return Error{Code::corrupt, fmt::format("not a valid zstd block ({}); the file is damaged",
                                                ZSTD_getErrorName(n))};
    if (n != out.size())
        return Error{Code::corrupt,
                     fmt::format("zstd block expands to {} bytes instead of {}; the file is "
                                 "damaged",
                                 n, out.size())};
    return {};
}

std::size_t zstd_compress(Bytes bytes, std::vector<std::byte>& out) {
    std::size_t const begin = out.size(), bound = ZSTD_compressBound(bytes.size());
    out.resize(begin + bound);
    std::size_t const n = ZSTD_compress(out.data() + begin, bound, bytes.data(), bytes.size(), 3);
    expects(!ZSTD_isError(n));
    out.resize(begin + n);
    return n;
}

}  // namespace sluice::codec

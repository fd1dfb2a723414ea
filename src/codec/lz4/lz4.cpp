// LZ4 blocks, by the LZ4 library.
// SPDX-License-Identifier: Apache-2.0
#include "codec/lz4/lz4.h"

#include <fmt/format.h>
#include <lz4.h>

#include <limits>
#include <memory>

namespace sluice::codec {

Status lz4_decompress(Bytes block, std::span<std::byte> out) {
    constexpr std::size_t limit = std::numeric_limits<int>::max();
    if (block.size() > limit || out.size() > limit)
        return Error{Code::unsupported, "an LZ4 block of over 2 GiB (the format's own limit)"};
    int const n = LZ4_decompress_safe(reinterpret_cast<char const*>(block.data()),
                                      reinterpret_cast<char*>(out.data()),
                                      static_cast<int>(block.size()), static_cast<int>(out.size()));
    if (n < 0) return Error{Code::corrupt, "not a valid LZ4 block; the file is damaged"};
    if (static_cast<std::size_t>(n) != out.size())
        return Error{Code::corrupt,
                     fmt::format("LZ4 block expands to {} bytes instead of {}; the file is damaged",
                                 n, out.size())};
    return {};
}

std::size_t lz4_compress(Bytes bytes, std::vector<std::byte>& out) {
    auto const size = static_cast<int>(bytes.size());
    int const bound = LZ4_compressBound(size);
    // A vector would fill with zeros what most blocks do not need.
    auto const room = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bound));
    int const n = LZ4_compress_default(reinterpret_cast<char const*>(bytes.data()),
                                       reinterpret_cast<char*>(room.get()), size, bound);
    expects(n > 0);
    out.insert(out.end(), room.get(), room.get() + n);
    return static_cast<std::size_t>(n);
}

}  // namespace sluice::codec

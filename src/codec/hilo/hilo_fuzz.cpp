// Fuzz target: any bytes as the data of a zstd1 tile, up to where the frame is decompressed.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "codec/hilo/hilo.h"
#include "codec/zstd/zstd.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    Bytes const tile = std::as_bytes(std::span(data, size));
    auto const header = codec::parse_zstd1(tile);
    if (!header) return 0;
    expects(header->size > 0 && header->size <= size);
    auto const content = codec::zstd_content_size(tile.subspan(header->size));
    if (!content || *content > 1 << 20) return 0;
    std::vector<std::byte> packed(static_cast<std::size_t>(*content));
    if (!codec::zstd_decompress(tile.subspan(header->size), packed) || !header->hi_lo) return 0;
    std::vector<std::byte> out(packed.size());
    codec::unpack_hilo(packed, 0, out);
    return 0;
}

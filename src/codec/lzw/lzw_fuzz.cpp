// Fuzz target: any bytes as an LZW stream, of a length that the first two bytes say.
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "codec/lzw/lzw.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 2) return 0;
    std::vector<std::byte> out(static_cast<std::size_t>(data[0] * 256 + data[1]));
    (void)codec::lzw_decompress(std::as_bytes(std::span(data + 2, size - 2)), out);
    return 0;
}

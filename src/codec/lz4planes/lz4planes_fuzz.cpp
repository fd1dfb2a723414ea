// Fuzz target: any bytes as a block of planes; what our decoder takes, LZ4's library decodes alike.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "codec/bitshuffle/bitshuffle.h"
#include "codec/lz4/lz4.h"
#include "codec/lz4planes/lz4planes.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 4) return 0;
    int const count = 8 << data[0] % 4;
    std::size_t const plane = 1 + (std::size_t{data[1]} | std::size_t{data[2]} << 8) % 1025;
    std::size_t const beyond = std::min<std::size_t>(data[3], size - 4);
    // Exact sizes, so that the address sanitizer knows the bounds.
    std::size_t const readable = size - 4, bytes = plane * static_cast<std::size_t>(count);
    std::vector<std::byte> in(readable);
    std::transform(data + 4, data + size, in.begin(), [](auto b) { return std::byte{b}; });
    Bytes const block = Bytes(in).first(readable - beyond);
    std::vector<std::byte> expected(bytes);
    bool const valid = bool(codec::lz4_decompress(block, expected));
    for (Isa isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        auto const out = std::make_unique<std::byte[]>(bytes + codec::planes_slack);
        auto const found =
            codec::lz4_planes(isa).decode(block, in.data() + readable, out.get(), plane, count);
        if (!found) continue;
        codec::write_repeats(*found, static_cast<sluice::index>(plane), count, out.get());
        auto const written = out.get() + static_cast<std::size_t>(found->filled) * plane;
        if (!found->repeats) std::fill(written, out.get() + bytes, std::byte{0});
        if (!valid || !std::equal(expected.begin(), expected.end(), out.get())) {
            std::fputs("lz4planes: not as LZ4's library\n", stderr);
            std::abort();
        }
    }
    return 0;
}

// Fuzz target: any bytes as a Blosc chunk; its planes are those of its values.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "codec/bitshuffle/transpose.h"
#include "codec/blosc/blosc.h"
#include "codec/lz4planes/lz4planes.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size < 2) return 0;
    int const element = 1 << data[0] % 3;
    sluice::index const elements = 8 * (1 + sluice::index{data[1]});
    std::vector<std::byte> chunk(size - 2);
    std::transform(data + 2, data + size, chunk.begin(), [](auto b) { return std::byte{b}; });
    auto const bytes = static_cast<std::size_t>(elements * element);
    std::vector<std::byte> values(bytes), again(bytes);
    auto const whole = codec::blosc_decompress(chunk, values);
    sluice::index const stride = elements / 8;
    // Exact sizes, so that the address sanitizer knows the bounds.
    auto const planes = std::make_unique<std::byte[]>(bytes);
    auto const memory = std::make_unique<std::byte[]>(bytes + codec::planes_slack);
    for (Isa const isa : compiled_isas()) {
        if (!runs_here(isa)) continue;
        auto const count = codec::blosc_planes(chunk, element, elements, isa,
                                               {planes.get(), stride, memory.get()});
        bool wrong = !count && whole && *whole == bytes;
        if (count && *count) {
            codec::transpose(isa).unpack(planes.get(), stride, **count, element, elements,
                                         again.data());
            wrong = !whole || *whole != bytes || again != values;
        }
        if (!wrong) continue;
        std::fputs("blosc: planes are not those of the values\n", stderr);
        std::abort();
    }
    return 0;
}

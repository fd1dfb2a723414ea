// Fuzz target: any bytes as a chunk behind any filters.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/pipeline.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using namespace sluice::hdf5;
    if (size < 4) return 0;
    constexpr int ids[] = {filter_deflate, filter_shuffle, filter_fletcher32, filter_lzf,
                           filter_blosc,   filter_lz4,     filter_bitshuffle, filter_zstd};
    auto const filter = [&](std::uint8_t choice) {
        unsigned const element = 1 + choice / 8 % 9;
        return Filter{ids[choice % 8], "", {0, 3, element, 0, choice / 72 % 4U}};
    };
    std::vector<Filter> filters{filter(data[0])};
    if (data[1] != 0) filters.push_back(filter(data[1]));
    for (Filter& f : filters)
        if (f.id == filter_shuffle) f.values = {f.values[2]};
    std::vector<std::byte> out(std::size_t{data[2]} * 40);
    (void)decode_chunk(std::as_bytes(std::span(data + 4, size - 4)), filters, data[3] % 4, out);
    return 0;
}

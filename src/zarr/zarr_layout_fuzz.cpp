// Fuzz target: any text as the metadata of anybody's array, and after a zero byte a chunk of it.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "zarr/reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    using sluice::index;  // and not what strings.h calls so
    constexpr index most = 1 << 16;
    std::uint8_t const* const end = std::find(data, data + size, 0);
    auto const layout = zarr::parse_layout(
        {reinterpret_cast<char const*>(data), static_cast<std::size_t>(end - data)});
    if (!layout) return 0;
    // What was taken has sizes that fit each other.
    expects(layout->stride.size() == layout->shape.size() && layout->chunk_bytes() > 0);
    expects(static_cast<index>(layout->fill.size()) == size_of(layout->dtype));
    if (layout->chunk_bytes() > most || end == data + size) return 0;
    Bytes const chunk(reinterpret_cast<std::byte const*>(end + 1),
                      static_cast<std::size_t>(data + size - end - 1));
    std::vector<std::byte> out(static_cast<std::size_t>(layout->chunk_bytes()));
    (void)zarr::decode_chunk(*layout, chunk, out);
    return 0;
}

// Fuzz target: any text as the metadata of an array, any bytes as a compressed chunk.
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "zarr/compress.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size == 0) return 0;
    Bytes const rest(reinterpret_cast<std::byte const*>(data + 1), size - 1);
    if (data[0] == '{') {
        auto const spec = zarr::parse_spec({reinterpret_cast<char const*>(data), size});
        if (!spec) return 0;
        // What was understood is written so that it is understood again.
        auto const again = zarr::parse_spec(zarr::to_json(*spec));
        expects(again && *again == *spec);
        return 0;
    }
    std::array<std::byte, 4096> out{};
    auto const compressor = data[0] % 2 ? zarr::Compressor::zstd : zarr::Compressor::blosc_lz4;
    (void)zarr::decompress(rest, {compressor, 5}, out);
    return 0;
}

// Fuzzes the division of a raw file into frames: sizes and shapes out of the input's bytes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/bytes.h"
#include "format/raw/geometry.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    std::array<std::byte, 34> bytes{};
    std::copy_n(std::as_bytes(std::span(data, size)).begin(), std::min(size, bytes.size()),
                bytes.begin());
    constexpr std::array types{"uint8", "uint16", "uint32", "float32", "complex64", ""};
    RawOptions options;
    options.raw_dtype = types[std::to_integer<std::size_t>(bytes[0]) % types.size()];
    std::uint64_t const file = load_le<std::uint64_t>(bytes.data() + 2) >> 1;
    options.raw_offset = load_le<std::uint64_t>(bytes.data() + 10);
    options.raw_frame = {load_le<sluice::index>(bytes.data() + 18),
                         load_le<sluice::index>(bytes.data() + 26)};
    auto const g = raw::find_geometry(file, options, bytes[1] != std::byte{0});
    if (!g) return 0;
    std::uint64_t const frames = static_cast<std::uint64_t>(g->layout.present);
    expects(frames > 0 && g->left_over < g->layout.frame_bytes());
    expects(g->layout.offset + frames * g->layout.frame_bytes() + g->left_over == file);
    return 0;
}

// Fuzzes the pages of TIFF files, their description, and what is packed in them.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/pages.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const file = memory_source("fuzz", {bytes.begin(), bytes.end()});
    auto const about = tiff::read_description({reinterpret_cast<char const*>(data), size}, 2, 3);
    if (about.scan) expects((*about.scan)[0] * (*about.scan)[1] == about.frames);
    auto const stack = tiff::read_stack(*file);
    if (!stack) return 0;
    tiff::Page const& p = stack->first;
    for (auto const at : stack->plain) expects(at + p.frame_bytes() <= size);
    if (p.frame_bytes() > 1 << 22) return 0;
    std::vector<std::byte> out(p.frame_bytes());
    if (auto const done = tiff::decode_page(*file, p, out); !done)
        expects(!done.error().message.empty());
    return 0;
}

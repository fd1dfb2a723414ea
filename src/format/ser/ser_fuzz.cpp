// Fuzzes the headers of series.
// SPDX-License-Identifier: Apache-2.0
#include "format/ser/header.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const file = memory_source("fuzz", {bytes.begin(), bytes.end()});
    auto const h = ser::read_header(*file);
    if (!h) return 0;
    expects(h->offsets.size() == static_cast<std::size_t>(h->elements) && !h->offsets.empty());
    auto const e = ser::read_element(*file, *h, h->offsets.size() - 1);
    if (e) expects(e->stored.bytes > 0 && e->header_bytes >= 26);
    return 0;
}

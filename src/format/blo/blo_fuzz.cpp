// Fuzzes the header of block files.
// SPDX-License-Identifier: Apache-2.0
#include "format/blo/blo.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const h = blo::parse_header(std::as_bytes(std::span(data, size)));
    if (h) expects(h->side > 0 && h->scan_rows > 0 && h->scan_cols > 0 && h->patterns_at >= 240);
    return 0;
}

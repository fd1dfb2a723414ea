// Fuzzes the header of sequences.
// SPDX-License-Identifier: Apache-2.0
#include "format/seq/seq.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const h = seq::parse_header(std::as_bytes(std::span(data, size)));
    if (h) expects(h->rows > 0 && h->cols > 0 && h->stride > 0 && h->data_at >= 1024);
    return 0;
}

// Fuzzes the NPY header parser.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/header.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const header = sluice::npy::parse_header(bytes);
    if (header) sluice::expects(header->data_at <= size && header->shape.size() <= 32);
    if (!header && header.error().at) sluice::expects(*header.error().at <= size);
    return 0;
}

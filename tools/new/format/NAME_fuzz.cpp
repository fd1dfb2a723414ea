// Fuzz target: any bytes as the header of a @Name@ file.
// SPDX-License-Identifier: Apache-2.0
#include "format/@name@/@name@.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const header = sluice::@name@::parse_header(bytes, size);
    if (!header) return 0;
    auto const values = static_cast<std::uint64_t>(header->frames * header->rows * header->cols);
    sluice::expects(header->data_at + values * 2 <= size);
    return 0;
}

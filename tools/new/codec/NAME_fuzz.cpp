// Fuzz target: any bytes as @Name@ data; and any bytes must come back from there and back.
// SPDX-License-Identifier: Apache-2.0
#include "codec/@name@/@name@.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    if (size == 0) return 0;
    Bytes const bytes = std::as_bytes(std::span(data, size)).subspan(1);
    std::vector<std::byte> out(std::size_t{data[0]} * 16);
    (void)codec::decode_@name@(bytes, out);
    std::vector<std::byte> back(bytes.size());
    expects(codec::decode_@name@(codec::encode_@name@(bytes), back).has_value());
    expects(std::equal(bytes.begin(), bytes.end(), back.begin()));
    return 0;
}

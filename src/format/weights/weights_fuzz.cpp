// Fuzz target: any bytes as a file of weights.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/weights/weights.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const bytes = std::as_bytes(std::span(data, size));
    auto const w = weights::read_weights(memory_source("fuzz", {bytes.begin(), bytes.end()}));
    if (!w) {
        expects(!w.error().message.empty());
        return 0;
    }
    // Tensors may share their numbers, so that reading all of many would only take time.
    for (std::size_t i = 0; i < std::min<std::size_t>(w->tensors.size(), 64); ++i) {
        weights::Tensor const& t = w->tensors[i];
        auto const read = weights::read_tensor(*w, t);
        // Only a checksum can be wrong: that the numbers are within the file was checked.
        if (!read && t.crc != 0) continue;
        expects(read.has_value());
        expects(std::ssize(*read) == t.size() * weights::bytes_of(t.element));
        expects(read->size() <= size);
    }
    return 0;
}

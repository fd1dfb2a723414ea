// Copying past the caches, a line at a time.
// SPDX-License-Identifier: Apache-2.0
#include "device/past_caches.h"

#include "device/line.h"

namespace sluice::SLUICE_ISA {
namespace {

void copy(std::byte const* from, index n, std::byte* to) {
    // Part of a line would be read from memory and written back: the caches put it together with
    // what a neighbour writes there.
    index i = before_line(to) < n ? before_line(to) : n;
    std::memcpy(to, from, static_cast<std::size_t>(i));
    for (; i + line_bytes <= n; i += line_bytes) {
        Line line;
        std::memcpy(&line, from + i, sizeof line);
        store_past_caches(line, to + i);
    }
    std::memcpy(to + i, from + i, static_cast<std::size_t>(n - i));
}

}  // namespace

PastCaches past_caches() {
    return {copy};
}

}  // namespace sluice::SLUICE_ISA

// Blue and red exchanged, a vector of pixels at a time.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/swap.h"

#include <cstdint>
#include <cstring>

namespace sluice::slide::SLUICE_ISA {
namespace {

using Vector = std::uint8_t __attribute__((vector_size(16)));

inline Vector load(std::byte const* p) {
    Vector v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void exchange(std::byte const* from, int bytes, std::byte* to) {
    std::memcpy(to, from + 2 * bytes, static_cast<std::size_t>(bytes));
    std::memcpy(to + bytes, from + bytes, static_cast<std::size_t>(bytes));
    std::memcpy(to + 2 * bytes, from, static_cast<std::size_t>(bytes));
}

// Five pixels of 3 bytes: byte 15 is the next pixel's, which is written again right after.
void swap_u8(std::byte const* from, index n, std::byte* to) {
    index i = 0;
    for (; i + 6 <= n; i += 5) {
        Vector const v = load(from + 3 * i);
        Vector const w =
            __builtin_shufflevector(v, v, 2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15);
        std::memcpy(to + 3 * i, &w, sizeof w);
    }
    for (; i < n; ++i) exchange(from + 3 * i, 1, to + 3 * i);
}

// Two pixels of 6 bytes, and 4 bytes that are written again.
void swap_u16(std::byte const* from, index n, std::byte* to) {
    index i = 0;
    for (; i + 3 <= n; i += 2) {
        Vector const v = load(from + 6 * i);
        Vector const w =
            __builtin_shufflevector(v, v, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 6, 7, 12, 13, 14, 15);
        std::memcpy(to + 6 * i, &w, sizeof w);
    }
    for (; i < n; ++i) exchange(from + 6 * i, 2, to + 6 * i);
}

}  // namespace

Swap swap() {
    return {swap_u8, swap_u16};
}

}  // namespace sluice::slide::SLUICE_ISA

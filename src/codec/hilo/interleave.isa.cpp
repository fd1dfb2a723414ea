// Low and high bytes put together, a cache line at a time.
// SPDX-License-Identifier: Apache-2.0
#include "codec/hilo/interleave.h"

#include "device/line.h"

namespace sluice::codec::SLUICE_ISA {
namespace {

using sluice::SLUICE_ISA::before_line;
using sluice::SLUICE_ISA::Line;
using sluice::SLUICE_ISA::store_past_caches;

typedef std::uint8_t Bytes32 __attribute__((vector_size(32)));
typedef std::uint16_t Samples32 __attribute__((vector_size(64)));
constexpr index at_once = 32;

inline Line together(std::byte const* low, std::byte const* high) {
    Bytes32 l, h;
    std::memcpy(&l, low, sizeof l);
    std::memcpy(&h, high, sizeof h);
    return (Line)(__builtin_convertvector(l, Samples32) | __builtin_convertvector(h, Samples32)
                                                              << 8);
}

inline void one_by_one(std::byte const* low, std::byte const* high, index begin, index end,
                       std::byte* out) {
    for (index i = begin; i < end; ++i) {
        out[2 * i] = low[i];
        out[2 * i + 1] = high[i];
    }
}

void to(std::byte const* low, std::byte const* high, index n, std::byte* out) {
    index i = 0;
    for (; i + at_once <= n; i += at_once) {
        Line const line = together(low + i, high + i);
        std::memcpy(out + 2 * i, &line, sizeof line);
    }
    one_by_one(low, high, i, n, out);
}

void past(std::byte const* low, std::byte const* high, index n, std::byte* out) {
    index const before = before_line(out);
    // From an odd address no sample begins a line.
    if (before % 2 != 0 || before / 2 >= n) return to(low, high, n, out);
    index i = before / 2;
    one_by_one(low, high, 0, i, out);
    for (; i + at_once <= n; i += at_once)
        store_past_caches(together(low + i, high + i), out + 2 * i);
    one_by_one(low, high, i, n, out);
}

}  // namespace

Interleave interleave() {
    return {to, past};
}

}  // namespace sluice::codec::SLUICE_ISA

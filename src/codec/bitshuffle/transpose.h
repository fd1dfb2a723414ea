// The bit transpose of bitshuffle: elements to bit planes and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Values as files and detectors have them, of 1, 2 or 4 bytes each.
struct Plain {
    std::byte const* data = nullptr;
    int bytes = 2;
    bool big_endian = false;
};

/// Plane p holds bit p of every element, LSB first: element 8m+k is bit k of byte m of its plane.
/// Elements have any number of bytes from 1 on; 1, 2, 4 and 8 are fast.
struct Transpose {
    /// n little-endian elements (n a multiple of 8) of `bytes` bytes each to 8*bytes planes of n/8
    /// bytes, `stride` bytes apart.
    void (*pack)(std::byte const* values, int bytes, index n, std::byte* planes, index stride);
    /// The inverse; planes from `count` on are taken as zeros and never read.
    void (*unpack)(std::byte const* planes, index stride, int count, int bytes, index n,
                   std::byte* values);

    /// pack() of the lowest `count` planes; no other is written. Returns the bits that any of the n
    /// values (a multiple of 8) has, in whatever plane.
    std::uint32_t (*pack_lowest)(Plain values, index n, int count, std::byte* planes, index stride);
};

Transpose const& transpose(Isa isa);

/// Values become as many planes as they need; there is room for all 8 * values.bytes. The lowest
/// `expected` ones (0 at first; kept for values of one size) are written in any case, and a second
/// pass follows only where more are needed. Returns the bits that any value has; `expected` becomes
/// what to expect of values like these.
std::uint32_t pack_needed(Isa isa, Plain values, index n, int& expected, std::byte* planes,
                          index stride);

namespace baseline {
Transpose transpose();
}
namespace avx2 {
Transpose transpose();
}
namespace avx512 {
Transpose transpose();
}

}  // namespace sluice::codec

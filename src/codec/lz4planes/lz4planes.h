// LZ4 blocks of bit planes, decoded up to where the rest is known without writing it.
//
// Detectors write two ends of a block: one match of zeros, or one match that repeats a plane (where
// a bad pixel has all bits). Half of the time of an ordinary decoder goes into writing them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/isa.h"
#include "sluice/view.h"

namespace sluice::codec {

/// Bytes beyond the planes that the decoder may write, and beyond a block that it likes to read.
inline constexpr std::size_t planes_slack = 64;

/// What a block holds: planes [0, filled) stand in the output, and the rest are all the same.
struct PlanesFound {
    int filled = 0;
    bool repeats = false;  ///< the rest equal plane filled - 1; otherwise they are zeros
};

struct Lz4Planes {
    /// Decodes `block` into `count` planes of `plane_bytes` bytes each, one after the other; `out`
    /// has planes_slack bytes more. What stands in memory up to `readable_end` may be read. Returns
    /// nothing where the block is damaged or of a rare kind: ask lz4_decompress. Below 2 GiB,
    /// lz4_decompress takes every block that this takes, with the same bytes.
    std::optional<PlanesFound> (*decode)(Bytes block, std::byte const* readable_end, std::byte* out,
                                         std::size_t plane_bytes, int count);
};

Lz4Planes const& lz4_planes(Isa isa);

namespace baseline {
Lz4Planes lz4_planes();
}
namespace avx2 {
Lz4Planes lz4_planes();
}
namespace avx512 {
Lz4Planes lz4_planes();
}

}  // namespace sluice::codec

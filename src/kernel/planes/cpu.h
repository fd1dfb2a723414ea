// The same kernels for this processor's threads: one tile at a time, per instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/planes/kernels.h"
#include "kernel/planes/many.h"

namespace sluice::planes {

/// Neighbouring blocks that a mask covers wholly.
struct BlockRun {
    std::uint32_t first, count;
};

/// A mask sorted by what there is to do: totals for whole blocks, bits for the others.
struct SplitMask {
    std::span<BlockRun const> whole;
    std::span<std::uint8_t const> is_whole;  ///< [block]
    std::span<MaskWord const> partial;
};

struct CpuKernels {
    /// Adds up the mask's pixels of each of the tiles' frames: out[tile][frame].
    void (*virtual_sum)(std::span<Tile const> tiles, SplitMask const& mask,
                        std::uint64_t (*out)[tile_frames]);

    /// The same for many masks: out[tile * masks + mask]. Null where virtual_sum, mask by mask,
    /// is the way.
    void (*many_sums)(std::span<Tile const> tiles, ManyMasks const& masks,
                      std::uint64_t (*out)[tile_frames]);

    /// The same for first moments. The mask must not be empty.
    void (*moments)(std::span<Tile const> tiles, index block_cols, std::span<MaskWord const> mask,
                    Moment (*out)[tile_frames]);

    /// Adds the frames of up to 15 tiles to sums[block * 64 + bit], for blocks [first, last).
    void (*pattern_sum)(std::span<Tile const> tiles, std::uint16_t const* frame_mask, index first,
                        index last, std::uint64_t* sums);

    /// The same, and the squares of the counts; both are exact below 2^53.
    void (*pattern_squares)(std::span<Tile const> tiles, std::uint16_t const* frame_mask,
                            index first, index last, double* sums, double* squares);

    /// Adds to stats[block * 64 + bit] what one tile holds, for blocks [first, last).
    void (*pattern_stats)(Tile tile, std::uint16_t frame_mask, index first, index last,
                          PixelStats* stats);

    /// Of each detector's weights [block * 64 + bit]: out[detector][frame].
    void (*weighted_sums)(Tile tile, std::span<float const* const> weights,
                          double (*out)[tile_frames]);
};

CpuKernels const& cpu_kernels(Isa isa);
/// Those of a device's instruction set, or the reference's.
CpuKernels const& kernels_for(Device const& device);

namespace baseline {
CpuKernels cpu_kernels();
}
namespace avx2 {
CpuKernels cpu_kernels();
}
namespace avx512 {
CpuKernels cpu_kernels();
}

}  // namespace sluice::planes

// Lines on this processor's threads, per instruction set: made of tiles, counted, turned back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "kernel/lines/line_mask.h"
#include "kernel/planes/kernels.h"

namespace sluice::lines {

struct CpuKernels {
    /// Writes the unit of up to 32 tiles at `out` (64-byte aligned, unit_bound() bytes), and
    /// returns its size in bytes.
    index (*make)(std::span<planes::Tile const> tiles, planes::Grid grid, std::byte* out);

    /// Adds up the mask's pixels of each frame: out[unit][frame]. Of a difference they are right
    /// modulo 2^32.
    void (*count)(std::span<Unit const> units, LineMask const& mask,
                  std::uint64_t (*out)[unit_frames]);

    /// Sums and first moments of the mask's pixels of each frame: out[unit][frame].
    void (*moments)(std::span<Unit const> units, std::span<planes::MaskWord const> mask,
                    planes::Moment (*out)[unit_frames]);

    /// Adds the counts of the chosen frames (bit f % 64 of chosen[f / 64]) to
    /// sums[block * 64 + bit].
    void (*add_frames)(Unit unit, std::uint64_t const* chosen, std::uint64_t* sums);

    /// Tiles [first, first + count) of the unit, as they were; where need[block] is 0 (null:
    /// nowhere) they show zeros. `first` is a multiple of four. Each is 64-byte aligned and has
    /// room for tile_bound_of() bytes; `bytes` receives its size.
    void (*turn_back)(Unit unit, index first, index count, std::uint8_t const* need,
                      std::byte* const* out, index* bytes);

    /// Frame 0 .. 511 of the unit as counts, out[row][col] of the whole detector: those of the rows
    /// of blocks [row, row + rows). Looks at every line that they have.
    void (*read_rows)(Unit unit, index frame, index row, index rows, double* out);
};

/// The most bytes that make() writes of these tiles.
index bound_of(std::span<planes::Tile const> tiles, planes::Grid grid);
/// The most bytes that turn_back() writes of a tile of this unit: a multiple of 64.
index tile_bound_of(Unit unit);

/// Heads, totals and lines that count() looks at.
index touched_bytes(Unit unit, LineMask const& mask);

CpuKernels const& cpu_kernels(Isa isa);
/// Those of a device's instruction set, or the reference's.
CpuKernels const& kernels_for(Device const& device);

/// Counts line by line, whatever the totals are: of units whose sums need more than 32 bits.
void count_plainly(Unit unit, LineMask const& mask, std::uint64_t* out);
void moments_plainly(Unit unit, std::span<planes::MaskWord const> mask, planes::Moment* out);

namespace baseline {
CpuKernels cpu_kernels();
}
namespace avx2 {
CpuKernels cpu_kernels();
}
namespace avx512 {
CpuKernels cpu_kernels();
}

}  // namespace sluice::lines

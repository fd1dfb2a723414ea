// Compiled: detectors in the form the kernels read them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/dense/kernels.h"
#include "kernel/planes/cpu.h"
#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// A pixel of a detector whose sums are of corrected values.
struct CorrectedPixel {
    std::uint32_t at;    ///< of [row][col]
    std::uint32_t lane;  ///< of eight partial sums
    float weight, dark;  ///< the gain is in the weight
};

struct Compiled {
    bool weighted = false;                     ///< any weight that is neither 0 nor 1
    std::vector<planes::MaskWord> words = {};  ///< of the mask, ascending blocks
    std::vector<planes::BlockRun> whole = {};  ///< the same words, split for the CPU's kernel
    std::vector<std::uint8_t> is_whole = {};
    std::vector<planes::MaskWord> partial = {};
    std::vector<dense::Run> runs = {};
    std::vector<float> block_weights = {};  ///< [block * 64 + bit], only when weighted
    std::vector<float> pixel_weights = {};  ///< [row][col], only when weighted
    std::vector<float> shares = {};         ///< [row][col], only for means: as in measured_sum()
    std::vector<CorrectedPixel> corrected = {};  ///< by blocks; empty: as they were read
    double offset = 0;                           ///< what their dark subtracts from a sum
    double valid = 0;                            ///< pixels inside that are not bad

    planes::SplitMask split() const { return {whole, is_whole, partial}; }
};

/// `bad` marks pixels that hold no counts by 1, and the others by 0. Where a mask covers all pixels
/// of a block that exist and are good, its word is all ones, so that kernels may take the block's
/// total instead.
Compiled compile(Array<float> const& weights, std::span<std::uint8_t const> bad);

/// The same of a mask without weights whose pixels are those of `runs`, in ascending order.
Compiled compile(std::span<dense::Run const> runs, planes::Grid grid,
                 std::span<std::uint8_t const> bad);

/// The whole detector.
Compiled compile_all(planes::Grid grid, std::span<std::uint8_t const> bad);

/// Marks the blocks that the detectors look at.
std::vector<std::uint8_t> blocks_needed(std::span<Compiled const> detectors, planes::Grid grid);

}  // namespace sluice::stem4d

// Looks for hot pixels: single pixels that outshine all but one of their neighbours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/rules.h"
#include "store/unit.h"

namespace sluice::store {

/// Pixel numbers, ascending.
struct HotPixels {
    std::vector<std::uint32_t> hot = {};
    /// As bright alone as hot ones, but with so many of all counts that they may be a direct beam
    /// of less than a pixel: they are not left out.
    std::vector<std::uint32_t> beam_like = {};
};

/// The test is local and cannot remove a disk, however small a share of the detector it covers: a
/// pixel is hot only if its counts over a sample of up to 512 frames are both five times those of
/// its second brightest neighbour and six Poisson standard deviations above them, and a disk's
/// pixels have at least two neighbours as bright as themselves. A beam within one pixel has not:
/// one with a twentieth of all counts, or more, is not hot unless it is stuck at one value.
Result<HotPixels> find_hot_pixels(Dataset const& dataset, PixelRules const& rules,
                                  LoadOptions const& options);

/// The test alone, on sums[row][col]; `bad` pixels (ascending) are no neighbours.
std::vector<std::uint32_t> hot_pixels_of(std::span<double const> sums, index rows, index cols,
                                         std::span<std::uint32_t const> bad = {});

}  // namespace sluice::store

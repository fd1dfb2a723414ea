// Looks for hot pixels: single pixels that outshine all but one of their neighbours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/rules.h"
#include "store/unit.h"

namespace sluice::store {

/// Of a pixel: its number, and its part of all counts of the sample.
struct BrightPixel {
    std::uint32_t pixel = 0;
    double share = 0;
};

struct HotPixels {
    std::vector<BrightPixel> hot = {};  ///< ascending
    /// As bright alone as hot ones, but with so many of all counts that it may be a direct beam of
    /// less than a pixel: it is not left out.
    std::optional<BrightPixel> beam_like = {};

    std::vector<std::uint32_t> left_out() const;
};

/// The test is local and cannot remove a disk, however small a share of the detector it covers. A
/// pixel is hot only if its counts over a sample of up to 512 frames are both five times those of
/// its second brightest neighbour and six Poisson standard deviations above them. A disk's pixels
/// have at least two neighbours as bright as themselves. A beam within one pixel has none:
/// one with a twentieth of all counts, or more, is not hot unless it is stuck at one value. There
/// is one beam: of several such pixels the brightest is kept.
Result<HotPixels> find_hot_pixels(Dataset const& dataset, PixelRules const& rules,
                                  LoadOptions const& options);

/// Sentences about those with so many of all counts that results hang on them: a twentieth.
std::vector<std::string> warnings_of(HotPixels const& found, index cols);

/// The test alone, on sums[row][col]; `bad` pixels (ascending) do not count as neighbours.
std::vector<std::uint32_t> hot_pixels_of(std::span<double const> sums, index rows, index cols,
                                         std::span<std::uint32_t const> bad = {});

}  // namespace sluice::store

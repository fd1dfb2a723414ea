// The square that patterns are cut or padded to, and where its pixels come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "sluice/view.h"

namespace sluice::optics {

/// `wanted`; if that is 0, the smallest of 64, 128, 192 and 256 that holds the detector, else the
/// detector's own side.
index size_of_window(index wanted, std::array<index, 2> detector);

/// Where the pixels of a pattern come from: [row][col] of the pattern with zero frequency first, -1
/// where nothing was measured. `center`: (row, column) of the direct beam, rounded to whole pixels.
/// `cut`: pixels of the detector that lie outside.
std::vector<index> pixels_from(std::array<index, 2> detector, std::array<double, 2> center,
                               index size, index& cut);
/// The same for patterns that have zero frequency at [0][0] already.
std::vector<index> pixels_from_corners(std::array<index, 2> detector, index size, index& cut);
/// The same for images: nothing is shifted, and the detector's middle is the window's.
std::vector<index> pixels_of_image(std::array<index, 2> detector, index size, index& cut);

}  // namespace sluice::optics

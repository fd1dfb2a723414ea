// Volume: an image and where its points lie in space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/view.h"

namespace sluice {

/// An image of two or three axes. The vectors have an entry per axis in the order of files, x
/// first: that is the last one of the shape.
struct Volume {
    Array<float> image;           ///< [y][x] or [z][y][x]
    std::vector<double> spacing;  ///< mm; empty where the file does not tell
    std::vector<double> origin;   ///< of the middle of the first element, mm; empty as above
    bool turned = false;          ///< the axes are not those of space: mirrored or oblique
    std::string content = {};     ///< what it is and its unit, e.g. "dose, Gy"
};

}  // namespace sluice

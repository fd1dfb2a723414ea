// The bar in the corner of an image that says how large things are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "figure/drawing.h"

namespace sluice::figure {

/// How far apart the pixels of an image are.
struct PixelStep {
    double size = 1;          ///< in `unit`; not above 0: unknown
    std::string unit = "px";  ///< px, nm, Å, µm, mrad, 1/nm or any other
};

struct ScaleBar {
    double pixels;      ///< of the image
    std::string label;  ///< e.g. "20 nm"
};

/// A bar of nice length, about a fifth of an image `cols` wide; whole pixels where the step is not
/// known. From 1000 nm on it is labelled in µm, below 1 nm in Å, and 1/nm is written nm⁻¹.
ScaleBar scale_bar_of(index cols, PixelStep const& step);

/// Draws the bar into the lower left corner of `image`, whose pixels are `zoom` wide.
void draw_scale_bar(Drawing& drawing, Box image, double zoom, ScaleBar const& bar, double cap);

}  // namespace sluice::figure

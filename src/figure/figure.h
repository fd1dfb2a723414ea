// Figures: an array as an image with its title, scale bar and colours explained.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/colormap.h"
#include "figure/contrast.h"
#include "figure/scale_bar.h"

namespace sluice::figure {

struct Style {
    Map map = Map::gray;
    Scale scale = Scale::linear;
    double power = 0.5;  ///< the exponent of Scale::power
    double low_percentile = 0.5, high_percentile = 99.8;
    std::optional<Limits> limits = {};  ///< instead of percentiles
    std::string title = {};
    std::string unit = {};  ///< of the values, e.g. "e⁻"
    bool colour_bar = true;
    std::optional<PixelStep> step = {};  ///< with it a scale bar is drawn
    index least_side = 512;   ///< a smaller image is enlarged by a whole factor, in pixels
    index most_side = 1024;   ///< a larger one is averaged over whole blocks
    bool exact_side = false;  ///< the longer side becomes least_side, for panels of one size
    index margin = 16;        ///< around everything, in pixels
};

/// The limits that `style` means for these values; symmetric about 0 for Map::balance.
Limits limits_for(View<float const, 2> values, Style const& style);

/// One image; `values` is [row][col] and not empty.
Drawing render(View<float const, 2> values, Style const& style);

/// A field of vectors: hue is direction, brightness is magnitude, from 0 to the high percentile or
/// limit, with a wheel as the legend. Positive row components point down. Both are [row][col], of
/// the same shape and not empty; the map and the low limits are not used.
Drawing colour_wheel(View<float const, 2> row_component, View<float const, 2> col_component,
                     Style const& style);

/// Drawings in rows of `columns` with even gaps, under a heading and above a caption; either text
/// may be empty. At least one drawing.
Drawing grid(std::vector<Drawing> const& panels, index columns, std::string const& heading = {},
             std::string const& caption = {});

}  // namespace sluice::figure

// How media whose edges lie within cells change a beam's way in water.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sluice/proton_config.h"

namespace sluice::proton {

/// A box of material: where it was to lie in depth, and the columns that it got.
struct Box {
    double from = 0, to = 0;    ///< mm
    index left = 0, right = 0;  ///< first column, and past the last
    std::uint16_t material = 0;
};

/// The largest whole part of a step that has all edges between its cells, or 0.
double fitting(double step, double origin, std::vector<double> const& edges);

/// Compares the water along lines over two sigma of each beam as the boxes say it with that of the
/// cells, down to where its protons stop. Each box may move by little, and many of them by much.
/// `below` is the map before the boxes were laid, empty for water.
std::optional<Guard> of_media_water(Config const& c, std::vector<std::uint16_t> const& below,
                                    std::vector<Box> const& boxes);

}  // namespace sluice::proton

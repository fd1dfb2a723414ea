// How the axes of positions lie, as a matrix, and the options that make them lie so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/ptychography.h"
#include "sluice/ptychography_file.h"

namespace sluice::cli {

using AxesMatrix = std::array<std::array<double, 2>, 2>;

/// What an orientation adds to how positions lie.
void turn(AxesMatrix& m, bool transpose, bool flip_rows, bool flip_cols);

/// Of a scan: its raster is turned by -degrees, and its axes are exchanged or not.
AxesMatrix axes_of(stem4d::PatternsOptions const& geometry);
/// Of a file of patterns, whose positions are exchanged, and then turned around.
AxesMatrix axes_of(stem4d::PatternFileOptions const& geometry);

struct AxesOptions {
    Json options = Json::object();
    std::string words;  ///< as they are given
    std::string title;
};

/// The rotation and transposition of a scan whose raster lies so, to `steps` of a degree.
AxesOptions scan_options(AxesMatrix m, double steps);
/// The options that make positions of a file lie so, along its axes.
AxesOptions file_options(AxesMatrix const& m);

}  // namespace sluice::cli

// Pictures of proton beams: maps, spectra and where everything went.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "figure/drawing.h"
#include "sluice/proton.h"

namespace sluice::cli {

/// Values of cells [plane][column] over depth (to the right) and x, in mm.
struct MapView {
    proton::MarchResult const& grid;
    std::vector<double> values;
    std::string title, unit;
};

/// Parts of the highest dose in percent, with lines at 10, 30, 50, 70, 90 and 95.
figure::Drawing dose_picture(MapView const& view);
/// LET, with the same length of mm in both directions if that gives a sensible picture.
figure::Drawing let_picture(MapView const& view);
/// Gamma from 0 to `most`, where 1 is the edge between passed (blue) and failed (red).
figure::Drawing gamma_picture(MapView const& view, double most);

/// A line per depth.
figure::Drawing spectra_picture(proton::MarchResult const& r, std::string const& title);
/// Protons and energy in each channel over the depth, and the residual.
figure::Drawing ledger_picture(proton::MarchResult const& r, std::string const& title);

}  // namespace sluice::cli

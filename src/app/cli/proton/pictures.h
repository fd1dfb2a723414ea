// Pictures of proton beams: maps, spectra and where everything went.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/proton.h"
#include "sluice/save.h"

namespace sluice::cli {

/// Values of cells [plane][column] over depth (to the right) and x, in mm.
struct MapView {
    proton::MarchResult const& grid;
    std::vector<double> values;
    std::string title, unit;
};

/// Parts of the highest dose in percent, with lines at 10, 30, 50, 70, 90 and 95.
Picture dose_picture(MapView const& view);
/// LET, with the same length of mm in both directions if that gives a sensible picture.
Picture let_picture(MapView const& view);
/// Gamma from 0 to `most`, where 1 is the edge between passed (blue) and failed (red).
Picture gamma_picture(MapView const& view, double most);

/// A line per depth.
Picture spectra_picture(proton::MarchResult const& r, std::string const& title);
/// Protons and energy in each channel over the depth, and the residual.
Picture ledger_picture(proton::MarchResult const& r, std::string const& title);

}  // namespace sluice::cli

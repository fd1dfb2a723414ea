// Spread-out Bragg peaks: a flat dose over a length of depth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/proton.h"

namespace sluice::proton {

struct SobpPlan {
    double range = 0;       ///< mm of water along the beam: the dose is 80 % of the plateau's there
    double modulation = 0;  ///< mm; the plateau begins so much before
    index layers = 0;       ///< energies; 0: by the spacing
    double spacing = 0;     ///< of the layers' ranges, mm; 0: by the widths of their peaks
    Beam beam = {};         ///< what all layers share; its weight is that of all together
};

struct Sobp {
    SobpPlan plan;
    std::vector<Beam> beams;  ///< from the deepest on; layers of no weight are left out
    double range = 0;         ///< found, mm
    double begin = 0,
           end = 0;       ///< of the plateau, mm; it ends one distal fall-off before the range
    double flatness = 0;  ///< of the plateau: (most - least) / (most + least)
    double plateau = 0;   ///< its mean, MeV/mm a proton
    double entrance = 0;  ///< dose of the first plane, as part of the plateau's
};

/// Energies and weights for a plateau in water: depth doses of the layers, marched in planes of
/// `dz` mm, are added up with the weights (not below 0) of the least squares.
/// The progress counts layers of six rounds; it mostly takes fewer.
Result<Sobp> spread_out(Physics const& physics, SobpPlan const& plan, double dz,
                        MarchOptions const& options = {});

}  // namespace sluice::proton

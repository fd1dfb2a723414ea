// Figures of orientation maps as drawings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/drawing.h"
#include "sluice/orientation_figures.h"

namespace sluice::orient {

/// The colours of inverse pole figures of a phase, with its name.
figure::Drawing ipf_legend(stem4d::CrystalPhase const& phase, index side, double cap);
Result<figure::Drawing> ipf_map(stem4d::OrientationMap const& map,
                                stem4d::IpfMapOptions const& options);
Result<figure::Drawing> pole_figures(stem4d::OrientationMap const& map,
                                     std::span<stem4d::Indices const> planes,
                                     stem4d::PoleFigureOptions const& options);
Result<figure::Drawing> inverse_pole_figures(stem4d::OrientationMap const& map,
                                             std::span<stem4d::Vector3 const> directions,
                                             stem4d::PoleFigureOptions const& options);

/// "x", "y", "z", or the numbers.
std::string name_of_direction(stem4d::Vector3 const& direction);

}  // namespace sluice::orient

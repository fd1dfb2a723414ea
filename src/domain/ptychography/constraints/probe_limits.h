// Where a probe may be: near the middle of its window, and within an aperture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"
#include "sluice/result.h"

namespace sluice::ptycho {

/// Multiplies each plane by 1 within `radius` parts of the window from its middle [n / 2][n / 2],
/// by `rest` a tenth of the window further out, and by half a period of a cosine between. Each time
/// is the proximal step of a penalty on power: it comes to rest where patterns pull as hard, and
/// what lies within keeps its bits.
template <class Real>
void keep_in_window(std::vector<Planar<Real>>& probe, double radius, double rest);

/// The part of the power that lies further out than `radius` parts of the window.
template <class Real>
double power_beyond(std::vector<Planar<Real>> const& probe, double radius);

/// Clears each plane's spectrum beyond `radius` pixels of a pattern, with an edge of one pixel.
template <class Real>
Status keep_in_aperture(std::vector<Planar<Real>>& probe, double radius);

}  // namespace sluice::ptycho

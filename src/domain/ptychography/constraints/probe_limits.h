// Where a probe may be: near the middle of its window, and within an aperture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/planar.h"
#include "sluice/result.h"

namespace sluice::ptycho {

/// Multiplies each plane by exp(-(r / (radius n))^5), r from the middle [n / 2][n / 2] of n pixels:
/// a supergaussian of degree 2.5, which hardly touches the inner half.
template <class Real>
void keep_in_window(std::vector<Planar<Real>>& probe, double radius);

/// Clears each plane's spectrum beyond `radius` pixels of a pattern, with an edge of one pixel.
template <class Real>
Status keep_in_aperture(std::vector<Planar<Real>>& probe, double radius);

}  // namespace sluice::ptycho

// Fits a circle to edge points of which up to half may belong to something else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// The circle most points lie on within `tolerance`, fitted to those by least squares of the
/// geometric distance. Radius 0 when no circle up to `largest_radius` fits.
Disk fit_circle(std::span<Point const> points, double tolerance, double largest_radius);

}  // namespace sluice::stem4d

// SphereDensity: counts directions in cells of equal solid angle, and smears them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/figures/projection.h"

namespace sluice::orient {

/// Directions are (right, down, towards the eye); opposite ones are one.
class SphereDensity {
  public:
    SphereDensity();

    void add(Vector3 const& direction);
    /// Multiples of an even distribution.
    stem4d::PoleDensity smeared(double halfwidth_degrees) const;

  private:
    std::vector<double> counts_;  ///< [row][col]
    double all_ = 0;
};

/// At a direction, between the nearest cells.
double density_at(stem4d::PoleDensity const& density, Vector3 const& direction);

}  // namespace sluice::orient

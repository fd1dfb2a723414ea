// The grid of a beam: rays out of its virtual sources, and planes across it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "domain/proton/cube/geometry.h"
#include "sluice/proton_dose.h"

namespace sluice::proton::cube {

/// Pixel (row, column) is a ray, known by where it meets the plane of the isocentre.
struct Fan {
    Frame frame;
    double pixel = 1, step = 1;   ///< mm
    double u0 = 0, v0 = 0;        ///< of the first pixel's middle
    index rows = 0, columns = 0;  ///< v and u
    double top = 0;               ///< z where the first plane begins
    index planes = 0;

    double u(double column) const { return u0 + column * pixel; }
    double v(double row) const { return v0 + row * pixel; }
    double z(double plane) const { return top - plane * step; }
    /// How much longer than its depth the way of a ray is.
    double stretch(double at_u, double at_v) const;
};

/// Places where an image has elements, in a beam's coordinates: [least, most] of x, y, z.
std::array<std::array<double, 2>, 3> box_of(Frame const& frame, Patient const& patient);

/// What rays meet between two planes: relative stopping power and scattering power.
class Rays {
  public:
    Rays(Patient const& patient, Frame const& frame);

    struct Here {
        float stopping = 0, scattering = 0;
    };
    /// Between the eight nearest voxels; air outside of the image.
    Here at(Place3 const& gantry) const;
    /// The tissue that is nearest; none outside of the image.
    int tissue_at(Place3 const& gantry) const;

  private:
    Patient const& patient_;
    Turn turn_{};     // from the gantry to elements
    Place3 shift_{};  // of the isocentre, in elements
    Here air_;

    Place3 element(Place3 const& gantry) const;
};

}  // namespace sluice::proton::cube

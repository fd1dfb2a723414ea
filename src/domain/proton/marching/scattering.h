// Multiple scattering at the face between two planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/marching/columns.h"
#include "domain/proton/marching/state.h"

namespace sluice::proton::marching {

/// Diffuses the angles of a state, and follows the variances that it leaves.
template <class Real>
class Scattering {
  public:
    Scattering(State<Real>& state, PlaneColumns<Real> const& columns, Beam const& beam);

    /// `before` parts of a step's scattering by the materials before a face, and `behind` parts by
    /// those behind it. What leaves the angles' window, and what was given up before, is accounted
    /// for.
    Status at_face(double before, double behind, Ledger& ledger);
    /// Variance of the angle out of the plane.
    double out_of_plane() const { return out_of_plane_; }
    /// Variance that the last plane's part added at this face.
    double before_face() const { return before_face_; }

  private:
    State<Real>& state_;
    PlaneColumns<Real> const& columns_;
    double path_;       ///< longer than a step is deep
    double per_place_;  ///< variance as a part that goes to each neighbour
    double out_of_plane_, before_face_ = 0;

    double part_of(index row) const {
        return state_.rows.scatter[static_cast<std::size_t>(row)] * path_ / per_place_;
    }
    Diffusion diffusion(double before, double behind);
    void follow_variances(double before, double behind);
};

}  // namespace sluice::proton::marching

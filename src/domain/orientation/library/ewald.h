// Ewald: how far reflections are off the sphere of a beam along z, and how much of them is left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/vectors.h"

namespace sluice::orient {

/// Lengths in ångström or 1/ångström; the beam flies along the sample's z.
class Ewald {
  public:
    /// `factor`: of the wavelength.
    Ewald(double kilovolts, double sigma, double precession_mrad, double factor = 1);

    double wavelength() const { return wavelength_; }
    double sigma() const { return sigma_; }
    bool precesses() const { return precession_ > 0; }

    /// Along z, positive inside the sphere.
    double excitation(Vector3 const& q) const;
    /// The z of a reflection of this frequency that has the excitation error.
    double height(double excitation, double frequency) const;
    /// The part of |F|^2 that shows at an excitation error, averaged over the cone of a precessing
    /// beam; `across` is the reflection's distance from the beam.
    double envelope(double excitation, double across) const;
    /// The envelope and its slope by the excitation error.
    std::array<double, 2> envelope_slope(double excitation, double across) const;
    /// Beyond this the envelope is less than `part`.
    double reach(double part, double across) const;

  private:
    double wavelength_, sigma_, precession_;
};

}  // namespace sluice::orient

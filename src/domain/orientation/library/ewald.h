// Ewald: how far reflections are off the sphere of a beam along z, and how much of them is left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/vectors.h"

namespace sluice::orient {

/// How intensities fall with the excitation error s: exp(-s^2 / (2 sigma^2)), or, as those of
/// slabs of many thicknesses do, 1 / (1 + s^2 / sigma^2).
enum class Envelope : std::uint8_t { gaussian, slab };

/// Lengths in ångström or 1/ångström; the beam flies along the sample's z.
class Ewald {
  public:
    /// `factor`: of the wavelength.
    Ewald(double kilovolts, double sigma, double precession_mrad, double factor = 1,
          Envelope envelope = Envelope::gaussian);

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
    std::array<double, 2> gaussian(double excitation, double across) const;
    std::array<double, 2> slab(double excitation, double across) const;

    double wavelength_, sigma_, precession_;
    Envelope envelope_;
};

}  // namespace sluice::orient

// Optics: what all patterns share: transforms, the propagator between slices, the detector's
// pixels. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "domain/ptychography/model.h"
#include "fft/fft.h"
#include "optics/propagator.h"

namespace sluice::ptycho {

template <class Real>
using Wave = std::vector<std::complex<Real>>;  ///< [row][col] of a window

/// [row][col] of the window at the detector: the detector's pixel that it belongs to, or -1.
std::vector<index> detector_pixels(Model const& model);

template <class Real>
class Optics {
  public:
    static Result<Optics> make(Model const& model);

    index n() const { return n_; }
    /// Orthonormal transforms of a window in place.
    void forward(Wave<Real>& wave) const;
    void inverse(Wave<Real>& wave) const;

    /// exp(-2 pi i (k . d) / n) times a spectrum: its wave moves by d pixels. `sign` -1 undoes it.
    void move_spectrum(Wave<Real>& spectrum, double row, double col, double sign = 1) const;
    /// exp(+2 pi i (d . r) / n) times a wave: its spectrum moves by d pixels.
    void ramp(Wave<Real>& wave, double row, double col, double sign = 1) const;

    /// From behind the object to the detector in place, and the adjoint, which is the inverse.
    void to_detector(Wave<Real>& wave) const;
    void from_detector(Wave<Real>& wave) const;

    /// From one slice to the next, and its adjoint. Keeps the spectrum before the propagator.
    void propagate(Wave<Real>& wave, Wave<Real>* spectrum = nullptr) const;
    void propagate_back(Wave<Real>& wave, Wave<Real>* spectrum = nullptr) const;
    /// Other slices from now on.
    void set_slices(Model const& model) {
        if (model.slices > 1) make_propagator(model);
    }
    /// The propagator as propagate() multiplies by it, and how its logarithm changes.
    Wave<Real> const& propagator() const { return propagator_; }
    optics::Propagator const& rates() const { return rates_; }
    /// What takes a spectrum behind the object to that at a detector in the near field.
    Wave<Real> const& near_field() const { return near_; }

    /// The detector pixel that a pixel of the wave at the detector belongs to, or -1.
    std::vector<index> const& detector_of() const { return detector_of_; }
    /// By the detector's response, in place. The response is even, so that this is its own adjoint.
    void blur(std::vector<Real>& plane) const;

  private:
    Optics(Model const& model, fft::Plan<Real> plan) : n_(model.window), plan_(std::move(plan)) {}
    void make_propagator(Model const& model);
    void make_near_field(Model const& model);
    void make_response(double sigma);

    index n_;
    fft::Plan<Real> plan_;
    Wave<Real> propagator_;
    Wave<Real> near_;  ///< from object to detector; empty: a Fourier transform
    optics::Propagator rates_;
    std::vector<index> detector_of_;
    std::vector<double> response_;  ///< along one axis; empty: none
};

extern template class Optics<float>;
extern template class Optics<double>;

}  // namespace sluice::ptycho

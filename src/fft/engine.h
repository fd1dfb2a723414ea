// Engine: the code that transforms one array: FFTW's, or our own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>

#include "fft/layout.h"

namespace sluice::fft {

template <class Real>
using Complex = std::complex<Real>;

/// Any number of threads may use one at a time. Short of memory, its functions throw
/// std::bad_alloc, which Plan catches.
template <class Real>
class Engine {
  public:
    virtual ~Engine() = default;
    virtual void forward(Complex<Real>* data) const = 0;
    virtual void inverse(Complex<Real>* data) const = 0;
    /// Of real samples: to half of the spectrum, and back.
    virtual void forward(Real const* samples, Complex<Real>* spectrum) const = 0;
    virtual void inverse(Complex<Real> const* spectrum, Real* samples) const = 0;
};

template <class Real>
using EngineOr = Result<std::unique_ptr<Engine<Real> const>>;

/// The one of this build (SLUICE_FFT), for float and double.
template <class Real>
EngineOr<Real> make_engine(Sizes const& sizes);

/// The one written here, in every build.
template <class Real>
EngineOr<Real> make_own_engine(Sizes const& sizes);

}  // namespace sluice::fft

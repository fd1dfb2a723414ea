// Plan: Fourier transforms of arrays of any size, one or many, of float or double.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fft/engine.h"

namespace sluice::fft {

/// Transforms arrays of one layout; made once, used by any number of threads at a time. The same
/// numbers in give the same bits out, whatever the machine was doing when the plan was made, and
/// however many `threads` share the arrays of a batch. Real is float or double. On a device:
/// RemotePlan.
///
/// forward: X(k, l) = sum over r, c of x(r, c) exp(-2 pi i (k r / rows + l c / cols)).
/// inverse: the same with +2 pi i, divided by rows * cols: it undoes forward.
template <class Real>
class Plan {
  public:
    /// Extents of small prime factors are the fast ones.
    static Result<Plan> make(Layout const& layout);
    /// By the transform written here, in every build; for tests and comparisons.
    static Result<Plan> make_own(Layout const& layout);

    /// Complex arrays, in place. The span holds all of them. Fails only when memory is short, and
    /// then some arrays are transformed and some are not.
    Status forward(std::span<Complex<Real>> data, int threads = 1) const;
    Status inverse(std::span<Complex<Real>> data, int threads = 1) const;

    /// Real samples to half of their spectrum, and back.
    Status forward(std::span<Real const> samples, std::span<Complex<Real>> spectra,
                   int threads = 1) const;
    /// Samples must not overlap.
    Status inverse(std::span<Complex<Real> const> spectra, std::span<Real> samples,
                   int threads = 1) const;

    Sizes const& sizes() const { return sizes_; }

  private:
    using Maker = EngineOr<Real> (*)(Sizes const&);
    Plan(Sizes sizes, std::unique_ptr<Engine<Real> const> engine)
        : sizes_(std::move(sizes)), engine_(std::move(engine)) {}

    static Result<Plan> make_with(Layout const& layout, Maker make);

    Sizes sizes_;
    std::unique_ptr<Engine<Real> const> engine_;
};

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace sluice::fft

// The transform written here: mixed radix, and Bluestein's where a prime factor is large.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "sluice/view.h"

namespace sluice::fft::own {

using Complex = std::complex<double>;

/// Forward transforms of one length, side by side: x[length][width] along its first index.
class Lines {
  public:
    explicit Lines(index length);

    void forward(Complex* x, index width) const;

  private:
    struct Chirp;

    void bluestein(Complex* x, index width) const;

    index length_;
    std::vector<index> factors_;  ///< of the length; empty where Bluestein's is used
    std::vector<Complex> roots_;  ///< exp(-2 pi i k / length)
    std::shared_ptr<Chirp const> chirp_;
};

/// In place, with the normalisation of fft::Plan.
class Plan {
  public:
    Plan(index rows, index cols) : rows_(rows), cols_(cols), down_(rows), across_(cols) {}

    void forward(View<Complex, 2> data) const;
    void inverse(View<Complex, 2> data) const;

  private:
    index rows_, cols_;
    Lines down_, across_;
};

}  // namespace sluice::fft::own

// Plan: Fourier transforms of complex arrays [row][col] of any size, in place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>

#include "sluice/view.h"

namespace sluice::fft {

using Complex = std::complex<double>;

/// Transforms arrays of one shape; made once, used by any number of threads at a time. The same
/// numbers in give the same bits out, whatever the machine was doing when the plan was made.
class Plan {
  public:
    /// Any sizes from 1 on; those of small prime factors are the fast ones.
    Plan(index rows, index cols);
    Plan(Plan&&) noexcept;
    Plan& operator=(Plan&&) noexcept;
    ~Plan();

    /// X(k, l) = sum over r, c of x(r, c) exp(-2 pi i (k r / rows + l c / cols)).
    void forward(View<Complex, 2> data) const;
    /// The same with +2 pi i, divided by rows * cols: it undoes forward().
    void inverse(View<Complex, 2> data) const;

  private:
    struct Backend;
    std::unique_ptr<Backend const> backend_;
};

}  // namespace sluice::fft

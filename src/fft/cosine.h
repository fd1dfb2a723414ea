// CosinePlan: cosine transforms, the Fourier transforms of data mirrored at its edges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fft/fft.h"

namespace sluice::fft {

/// Transforms complex arrays [row][col], which is two real ones at once, for the price of one
/// Fourier transform of the same shape (Makhoul 1980, doi:10.1109/TASSP.1980.1163351).
class CosinePlan {
  public:
    /// Fails as Plan::make() does.
    static Result<CosinePlan> make(index rows, index cols);

    /// C(k, l) = sum over r, c of x(r, c) cos(pi k (r + 1/2) / rows) cos(pi l (c + 1/2) / cols).
    /// Fails only when memory is short, as inverse() does.
    Status forward(View<Complex<double>, 2> data) const;
    /// Undoes forward().
    Status inverse(View<Complex<double>, 2> data) const;

  private:
    /// One axis: where its samples stand in the Fourier transform, and exp(-pi i k / (2 n)).
    struct Axis {
        explicit Axis(index n);
        std::vector<index> place;
        std::vector<Complex<double>> turn;
    };

    CosinePlan(index rows, index cols, Plan<double> plan)
        : down_(rows), across_(cols), plan_(std::move(plan)) {}

    Axis down_, across_;
    Plan<double> plan_;
};

}  // namespace sluice::fft

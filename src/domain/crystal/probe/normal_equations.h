// Normal equations of weighted least squares, for tens or hundreds of unknowns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::crystal {

class NormalEquations {
  public:
    explicit NormalEquations(index unknowns)
        : n_(unknowns),
          matrix_(static_cast<std::size_t>(n_ * n_)),
          right_(static_cast<std::size_t>(n_)) {}

    /// Adds a measurement: its slopes by the unknowns from `first` on, and what it has more than
    /// the model.
    void add(index first, std::span<double const> slopes, double weight, double rest);

    /// The step to the least sum of squares. `damping` lengthens the diagonal, as Levenberg and
    /// Marquardt do. Empty where the unknowns are not determined.
    std::optional<std::vector<double>> solve(double damping = 0) const;
    /// The diagonal of the inverse; empty as above.
    std::optional<std::vector<double>> variances() const;
    /// All of it, [unknown][unknown]; empty as above.
    std::optional<std::vector<double>> inverse() const;

  private:
    std::optional<std::vector<double>> factors(double damping) const;
    void substitute(std::vector<double> const& l, std::vector<double>& x) const;

    index n_;
    std::vector<double> matrix_, right_;  // the lower triangle
};

}  // namespace sluice::crystal

// Solves the normal equations of a step by Cholesky's factors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

namespace sluice::crystal {

/// L of a symmetric, positive matrix of up to six unknowns, lower triangles row by row.
class Cholesky {
  public:
    /// Empty where the matrix is not positive, by more than rounding.
    static std::optional<Cholesky> of(std::span<double const> lower, int n);

    /// The matrix's inverse times b; n numbers each.
    std::array<double, 6> solve(std::span<double const> b) const;

  private:
    int n_ = 0;
    std::array<std::array<double, 6>, 6> l_{};
};

}  // namespace sluice::crystal

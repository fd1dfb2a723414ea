// Solves the normal equations of a step by Cholesky's factors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

namespace sluice::crystal {

/// L of a symmetric, positive matrix of up to ten unknowns, lower triangles row by row; inverses of
/// its diagonal.
class Cholesky {
  public:
    static constexpr std::size_t most = 10;

    /// Empty where the matrix is not positive, by more than rounding.
    static std::optional<Cholesky> of(std::span<double const> lower, int n);
    /// False instead of empty. Until it was true once, nothing can be solved.
    bool factor(std::span<double const> lower, int n);

    /// The matrix's inverse times b; n numbers each.
    std::array<double, most> solve(std::span<double const> b) const;

  private:
    int n_ = 0;
    std::array<double, most*(most + 1) / 2> l_;  // of n_ unknowns
};

}  // namespace sluice::crystal

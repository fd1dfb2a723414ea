// The equations of least squares: a symmetric matrix, factored once, solved for many right sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "sluice/view.h"

namespace sluice::music {

/// Cholesky's factor of a matrix of sums of products (a Gram matrix). A row that those before it
/// explain, as the right channel of a mono song, takes no part: its unknown is 0, which is one of
/// the solutions, and all have the same remainder. The same bits for any number of threads.
class Cholesky {
  public:
    /// `element(row, column)` for column <= row. 8 n^2 bytes; n^3 / 3 multiplications.
    Cholesky(index n, std::function<double(index, index)> const& element, int threads);

    /// Solves for one right side, in place.
    void solve(std::span<double> x) const;
    /// How many rows are left out.
    index left_out() const { return left_out_; }

  private:
    void factor_corner(index first, index last);
    void solve_row(index row, index first, index last);

    double& at(index row, index column) { return l_[static_cast<std::size_t>(row * n_ + column)]; }
    double at(index row, index column) const {
        return l_[static_cast<std::size_t>(row * n_ + column)];
    }

    index n_;
    std::vector<double> l_;         ///< the lower triangle, row by row
    std::vector<double> smallest_;  ///< a pivot that is not above this is noise of rounding
    index left_out_ = 0;
};

}  // namespace sluice::music

// The natural cubic spline through points.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sluice/view.h"

namespace sluice::proton {

class Spline {
  public:
    /// At least three points, x ascending.
    Spline(std::span<double const> x, std::span<double const> y);
    double operator()(double x) const;
    double slope(double x) const;
    index pieces() const { return static_cast<index>(x_.size()) - 1; }
    double knot(index i) const { return x_[static_cast<std::size_t>(i)]; }
    double value(index i) const { return y_[static_cast<std::size_t>(i)]; }
    /// Where it has a value between two places, at which it lies on both sides of it.
    double solve(double value, double from, double to) const;
    /// Of the highest point between two places.
    double highest(double from, double to) const;
    double integral() const;

  private:
    std::vector<double> x_, y_, bend_;
    std::size_t piece(double x) const;
};

}  // namespace sluice::proton

// A cubic spline through a table of positive numbers, logarithm over logarithm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace sluice::proton {

struct Point {
    double x, y;
};

/// Natural at both ends; beyond them it goes on as the power law of the end.
class LogSpline {
  public:
    LogSpline() = default;
    /// At least two points, x ascending, all positive.
    explicit LogSpline(std::span<Point const> table);
    double operator()(double x) const;

  private:
    std::vector<double> x_, y_, bend_;  ///< logarithms, and second derivatives
};

}  // namespace sluice::proton

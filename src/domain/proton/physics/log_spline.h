// A cubic spline through a table of positive numbers, logarithm over logarithm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "domain/proton/spline.h"

namespace sluice::proton {

struct Point {
    double x, y;
};

/// Beyond its ends it goes on as the power law of the end.
class LogSpline {
  public:
    LogSpline() = default;
    /// At least three points, x ascending, all positive.
    explicit LogSpline(std::span<Point const> table);
    double operator()(double x) const;

  private:
    std::optional<Spline> logarithms_;
};

}  // namespace sluice::proton

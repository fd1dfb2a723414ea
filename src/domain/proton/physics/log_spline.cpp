// Splines of logarithms.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/log_spline.h"

#include <algorithm>
#include <cmath>

#include "sluice/result.h"

namespace sluice::proton {

LogSpline::LogSpline(std::span<Point const> table) {
    std::vector<double> x, y;
    for (Point const& p : table) {
        expects(p.x > 0 && p.y > 0);
        x.push_back(std::log(p.x));
        y.push_back(std::log(p.y));
    }
    logarithms_.emplace(x, y);
}

double LogSpline::operator()(double x) const {
    Spline const& s = *logarithms_;
    double const at = std::log(x);
    double const near = std::clamp(at, s.knot(0), s.knot(s.pieces()));
    double const beyond = at == near ? 0 : (at - near) * s.slope(near);
    return std::exp(s(near) + beyond);
}

}  // namespace sluice::proton

// Cubic splines: the tridiagonal system for the second derivatives, and their evaluation.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/log_spline.h"

#include <algorithm>
#include <cmath>

#include "sluice/result.h"

namespace sluice::proton {

LogSpline::LogSpline(std::span<Point const> table) : bend_(table.size()) {
    expects(table.size() >= 2);
    for (Point const& p : table) {
        expects(p.x > 0 && p.y > 0);
        x_.push_back(std::log(p.x));
        y_.push_back(std::log(p.y));
    }
    std::size_t const n = x_.size();
    std::vector<double> upper(n), right(n);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        double const h = x_[i] - x_[i - 1], k = x_[i + 1] - x_[i];
        expects(h > 0 && k > 0);
        double const slope = 6 * ((y_[i + 1] - y_[i]) / k - (y_[i] - y_[i - 1]) / h);
        double const pivot = 2 * (h + k) - h * upper[i - 1];
        upper[i] = k / pivot;
        right[i] = (slope - h * right[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) bend_[i] = right[i] - upper[i] * bend_[i + 1];
}

double LogSpline::operator()(double x) const {
    double const at = std::log(x);
    std::size_t const n = x_.size();
    auto const above = std::upper_bound(x_.begin(), x_.end(), at) - x_.begin();
    auto const i = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above, 1, static_cast<std::ptrdiff_t>(n) - 1));
    double const h = x_[i] - x_[i - 1];
    auto const slope = (y_[i] - y_[i - 1]) / h;
    if (at < x_.front()) return std::exp(y_[0] + (at - x_[0]) * (slope - h / 6 * bend_[1]));
    if (at > x_.back())
        return std::exp(y_[n - 1] + (at - x_[n - 1]) * (slope + h / 6 * bend_[n - 2]));
    double const b = (at - x_[i - 1]) / h, a = 1 - b;
    return std::exp(a * y_[i - 1] + b * y_[i] +
                    ((a * a * a - a) * bend_[i - 1] + (b * b * b - b) * bend_[i]) * h * h / 6);
}

}  // namespace sluice::proton

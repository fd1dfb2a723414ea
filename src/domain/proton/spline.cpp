// Cubic splines: the tridiagonal system for the second derivatives, and what is read off.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/spline.h"

#include <algorithm>

#include "sluice/result.h"

namespace sluice::proton {

Spline::Spline(std::span<double const> x, std::span<double const> y)
    : x_(x.begin(), x.end()), y_(y.begin(), y.end()), bend_(x.size()) {
    std::size_t const n = x_.size();
    expects(n >= 3 && y_.size() == n);
    std::vector<double> upper(n), right(n);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        double const h = x_[i] - x_[i - 1], k = x_[i + 1] - x_[i];
        double const pivot = 2 * (h + k) - h * upper[i - 1];
        upper[i] = k / pivot;
        right[i] =
            (6 * ((y_[i + 1] - y_[i]) / k - (y_[i] - y_[i - 1]) / h) - h * right[i - 1]) / pivot;
    }
    for (std::size_t i = n - 1; i-- > 1;) bend_[i] = right[i] - upper[i] * bend_[i + 1];
}

std::size_t Spline::piece(double x) const {
    auto const above = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(x_.size()) - 2));
}

double Spline::operator()(double x) const {
    std::size_t const i = piece(x);
    double const h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1 - b;
    return a * y_[i] + b * y_[i + 1] +
           ((a * a * a - a) * bend_[i] + (b * b * b - b) * bend_[i + 1]) * h * h / 6;
}

double Spline::slope(double x) const {
    std::size_t const i = piece(x);
    double const h = x_[i + 1] - x_[i], b = (x - x_[i]) / h, a = 1 - b;
    return (y_[i + 1] - y_[i]) / h +
           ((3 * b * b - 1) * bend_[i + 1] - (3 * a * a - 1) * bend_[i]) * h / 6;
}

double Spline::solve(double value, double from, double to) const {
    bool const rising = (*this)(from) < value;
    for (int k = 0; k < 60; ++k) {
        double const mid = (from + to) / 2;
        ((*this)(mid) < value) == rising ? from = mid : to = mid;
    }
    return (from + to) / 2;
}

double Spline::highest(double from, double to) const {
    if (slope(from) <= 0) return from;
    if (slope(to) >= 0) return to;
    for (int k = 0; k < 60; ++k) {
        double const mid = (from + to) / 2;
        slope(mid) > 0 ? from = mid : to = mid;
    }
    return (from + to) / 2;
}

double Spline::integral() const {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
        double const h = x_[i + 1] - x_[i];
        sum += h * (y_[i] + y_[i + 1]) / 2 - h * h * h * (bend_[i] + bend_[i + 1]) / 24;
    }
    return sum;
}

}  // namespace sluice::proton

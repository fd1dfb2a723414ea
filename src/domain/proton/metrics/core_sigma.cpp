// The Gaussian in the middle of each plane's deposit.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/proton/metrics/core.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The curvature of a parabola through points (i, y) with weights: of y = a + b i + c i^2 the c.
class Parabola {
  public:
    void add(double i, double y, double w) {
        double power = w;
        for (int k = 0; k < 5; ++k) {
            s_[k] += power;
            if (k < 3) t_[k] += power * y;
            power *= i;
        }
    }
    double curvature() const {
        double const a = s_[1] * s_[1] - s_[0] * s_[2], b = s_[1] * s_[2] - s_[0] * s_[3];
        double const c = s_[2] * s_[2] - s_[0] * s_[4];
        double const p = s_[1] * t_[0] - s_[0] * t_[1], q = s_[2] * t_[0] - s_[0] * t_[2];
        return (q * a - p * b) / (c * a - b * b);
    }

  private:
    double s_[5] = {}, t_[3] = {};
};

}  // namespace

double core_of(std::span<double const> line, double part) {
    auto const top = std::max_element(line.begin(), line.end());
    if (!(*top > 0)) return nan;
    auto const n = static_cast<index>(line.size());
    index first = top - line.begin(), last = first;
    index const middle = first;
    auto const at = [&](index i) { return line[static_cast<std::size_t>(i)]; };
    while (first > 0 && at(first - 1) >= part * *top) --first;
    while (last + 1 < n && at(last + 1) >= part * *top) ++last;
    if (last - first < 2) return nan;
    Parabola fit;
    // The error of a logarithm is that of the dose by the dose.
    for (index i = first; i <= last; ++i)
        fit.add(static_cast<double>(i - middle), std::log(at(i) / *top),
                at(i) * at(i) / (*top * *top));
    double const c = fit.curvature();
    double const sigma = std::sqrt(std::max(-0.5 / c - 1.0 / 12, 0.0));
    // A profile that is flat up to rounding has no width.
    return c < 0 && sigma < static_cast<double>(n) ? sigma : nan;
}

std::vector<double> core_sigma(MarchResult const& r, double part) {
    std::vector<double> out;
    for (index k = 0; k < r.planes; ++k) {
        std::span const line(r.deposit.data() + k * r.columns, static_cast<std::size_t>(r.columns));
        out.push_back(core_of(line, part) * r.dx);
    }
    return out;
}

}  // namespace sluice::proton

// Distortion: the matrix, and what a ring looks like.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "sluice/crystal_calibration.h"

namespace sluice::stem4d {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

// exp of the traceless symmetric matrix: cosh m + sinh m / m times it.
std::array<double, 3> exponential(double along, double across) {
    double const m = std::hypot(along, across), c = std::cosh(m);
    double const s = m > 1e-8 ? std::sinh(m) / m : 1;
    return {c + s * along, s * across, c - s * along};
}

}  // namespace

std::array<double, 3> Distortion::correction() const {
    return exponential(along, across);
}
std::array<double, 3> Distortion::inverse() const {
    return exponential(-along, -across);
}
double Distortion::ratio() const {
    return std::exp(2 * std::hypot(along, across));
}
// The correction shrinks the long axis, so that it lies across the direction that is stretched.
double Distortion::angle_degrees() const {
    double const angle = std::atan2(-across, -along) / 2 / radians_per_degree;
    return angle < 0 ? angle + 180 : angle;
}
double Distortion::ratio_error() const {
    double const m2 = along * along + across * across;
    double const v = m2 > 0 ? (along * along * covariance[0] + across * across * covariance[1] +
                               2 * along * across * covariance[2]) /
                                  m2
                            : (covariance[0] + covariance[1]) / 2;
    return 2 * ratio() * std::sqrt(std::max(v, 0.0));
}
double Distortion::angle_error_degrees() const {
    double const m2 = along * along + across * across;
    double const v = across * across * covariance[0] + along * along * covariance[1] -
                     2 * along * across * covariance[2];
    double const radians = m2 > 0 ? std::sqrt(std::max(v, 0.0)) / (2 * m2) : INFINITY;
    return std::min(radians / radians_per_degree, 90.0);
}

std::array<double, 2> SizeFit::pixel_sizes() const {
    auto const c = distortion.correction();
    return {pixel_size * c[0], pixel_size * c[2]};
}

}  // namespace sluice::stem4d

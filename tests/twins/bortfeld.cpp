// Bortfeld's analytic Bragg curve.
// SPDX-License-Identifier: Apache-2.0
#include "twins/bortfeld.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::proton {
namespace {

// The range of energy E is alpha E^p (cm, MeV).
constexpr double p = 1.77, alpha = 0.0022;

// exp(-z^2/4) Gamma(a) D_{-a}(-z), D the parabolic cylinder function: the integral over t > 0 of
// t^(a-1) exp(-(t-z)^2/2). With u = t^a it has no pole; Simpson's rule.
double cylinder(double a, double z) {
    double const end = std::pow(std::max(z, 0.0) + 9, a);
    double const begin = z > 9 ? std::pow(z - 9, a) : 0;
    constexpr int n = 2000;
    auto const at = [&](double u) {
        double const t = std::pow(u, 1 / a);
        return std::exp(-(t - z) * (t - z) / 2);
    };
    double const h = (end - begin) / n;
    double sum = at(begin) + at(end);
    for (int i = 1; i < n; ++i) sum += (i % 2 == 1 ? 4 : 2) * at(begin + i * h);
    return sum * h / 3 / a;
}

}  // namespace

double Bortfeld::dose(double depth) const {
    double const r = range / 10, s = sigma / 10, beta = loss * 10;  // cm
    double const zeta = (range - depth) / sigma;
    // Gamma(1/p) D_(-1/p-1) is p times the integral with 1/p + 1.
    double const first = cylinder(1 / p, zeta) / s;
    double const second = (beta / p + local * beta + tail / r) * p * cylinder(1 / p + 1, zeta);
    return std::pow(s, 1 / p) /
           (std::sqrt(2 * std::numbers::pi) * p * std::pow(alpha, 1 / p) * (1 + beta * r)) *
           (first + second);
}

}  // namespace sluice::proton

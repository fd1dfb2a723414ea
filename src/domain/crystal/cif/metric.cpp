// The metric of a cell and its reciprocal, and which operations leave it as it is.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/cif/metric.h"

#include <cmath>
#include <numbers>

namespace sluice::crystal {
namespace {

using stem4d::UnitCell;

// Of lengths squared.
constexpr double most_unlike = 0.02;

double cosine(double degrees) {
    return degrees == 90 ? 0 : std::cos(degrees * std::numbers::pi / 180);
}

}  // namespace

double volume_part(UnitCell const& c) {
    double const x = cosine(c.alpha), y = cosine(c.beta), z = cosine(c.gamma);
    double const square = 1 - x * x - y * y - z * z + 2 * x * y * z;
    return square > 0 ? std::sqrt(square) : 0;
}

Metric reciprocal_metric(UnitCell const& c) {
    double const x = cosine(c.alpha), y = cosine(c.beta), z = cosine(c.gamma);
    double const v = volume_part(c), v2 = v * v;
    Metric m;
    m.aa = (1 - x * x) / (c.a * c.a * v2);
    m.bb = (1 - y * y) / (c.b * c.b * v2);
    m.cc = (1 - z * z) / (c.c * c.c * v2);
    m.ab = (x * y - z) / (c.a * c.b * v2);
    m.ac = (x * z - y) / (c.a * c.c * v2);
    m.bc = (y * z - x) / (c.b * c.c * v2);
    return m;
}

Axes3 direct_metric(UnitCell const& c) {
    double const x = cosine(c.alpha), y = cosine(c.beta), z = cosine(c.gamma);
    return {{{c.a * c.a, c.a * c.b * z, c.a * c.c * y},
             {c.a * c.b * z, c.b * c.b, c.b * c.c * x},
             {c.a * c.c * y, c.b * c.c * x, c.c * c.c}}};
}

Axes3 averaged(Axes3 const& metric, std::span<stem4d::SymmetryOperation const> operations) {
    if (operations.empty()) return metric;
    Axes3 sum{};
    for (auto const& [turn, shift] : operations)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 3; ++k)
                    for (std::size_t l = 0; l < 3; ++l)
                        sum[i][j] += turn[k][i] * metric[k][l] * turn[l][j];
    for (auto& row : sum)
        for (double& value : row) value /= static_cast<double>(operations.size());
    return sum;
}

bool fits_axes(UnitCell const& cell, std::span<stem4d::SymmetryOperation const> operations) {
    Axes3 const own = direct_metric(cell), mean = averaged(own, operations);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (std::abs(own[i][j] - mean[i][j]) > most_unlike * std::sqrt(own[i][i] * own[j][j]))
                return false;
    return true;
}

}  // namespace sluice::crystal

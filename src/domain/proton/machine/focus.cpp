// The width of a beam over its way, as moments on one plane, by least squares.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/machine/focus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sluice::proton {
namespace {

// The coefficients c of c0 + c1 u + ... that are nearest to the values; nothing where the places
// do not decide them.
template <std::size_t n>
std::optional<std::array<double, n>> nearest_polynomial(std::vector<double> const& u,
                                                        std::vector<double> const& value,
                                                        std::vector<double> const& weight) {
    std::array<std::array<double, n + 1>, n> m{};
    for (std::size_t k = 0; k < u.size(); ++k)
        for (std::size_t i = 0; i < n; ++i) {
            double const w = weight[k] * weight[k] * std::pow(u[k], static_cast<double>(i));
            for (std::size_t j = 0; j < n; ++j)
                m[i][j] += w * std::pow(u[k], static_cast<double>(j));
            m[i][n] += w * value[k];
        }
    double const whole = m[0][0];
    for (std::size_t i = 0; i < n; ++i) {
        // Positive definite: no exchange of rows. u is within -1 and 1.
        if (!(m[i][i] > 1e-12 * whole)) return {};
        for (std::size_t r = i + 1; r < n; ++r) {
            double const f = m[r][i] / m[i][i];
            for (std::size_t j = i; j <= n; ++j) m[r][j] -= f * m[i][j];
        }
    }
    std::array<double, n> c{};
    for (std::size_t i = n; i-- > 0;) {
        c[i] = m[i][n];
        for (std::size_t j = i + 1; j < n; ++j) c[i] -= m[i][j] * c[j];
        c[i] /= m[i][i];
    }
    return c;
}

// All that the square is a parabola for, where it is of some Gaussian.
std::optional<Focus> parabola(std::vector<double> const& z, std::vector<double> const& sigma) {
    auto const [least, most] = std::ranges::minmax(z);
    double const middle = (least + most) / 2, half = (most - least) / 2;
    std::vector<double> u, square, weight;
    for (std::size_t i = 0; i < z.size(); ++i) {
        u.push_back((z[i] - middle) / half);
        square.push_back(sigma[i] * sigma[i]);
        // Errors of the width count alike, not those of its square.
        weight.push_back(1 / std::max(2 * sigma[i], 1e-3));
    }
    auto const c = nearest_polynomial<3>(u, square, weight);
    if (!c) return {};
    double const a = (*c)[2] / (half * half), b = (*c)[1] / half;
    // c0 + b (z - middle) + a (z - middle)^2
    double const at_plane = (*c)[0] - b * middle + a * middle * middle;
    double const slope = b / 2 - a * middle;
    double const tiny = 1e-12 * std::max(1.0, (*c)[0]);
    // A parallel beam has no covariance; rounding must not give it one.
    if (std::abs(a) * half * half < tiny && std::abs(b) * half < tiny && at_plane > 0)
        return Focus{.sigma = std::sqrt(at_plane)};
    if (!(a > 0)) return {};
    // Narrower than a point it is nowhere.
    double const square_there = std::max(at_plane, slope * slope / a);
    return Focus{.sigma = std::sqrt(square_there), .divergence = std::sqrt(a), .covariance = slope};
}

// A beam from or to a point.
Focus cone(std::vector<double> const& z, std::vector<double> const& sigma) {
    auto const [least, most] = std::ranges::minmax(z);
    double const middle = (least + most) / 2, half = std::max((most - least) / 2, 1e-9);
    std::vector<double> u;
    for (double const v : z) u.push_back((v - middle) / half);
    std::vector<double> const weight(z.size(), 1.0);
    if (auto const c = nearest_polynomial<2>(u, sigma, weight)) {
        double const slope = (*c)[1] / half, at_plane = (*c)[0] - slope * middle;
        return {std::abs(at_plane), std::abs(slope), at_plane * slope};
    }
    double sum = 0;
    for (double const s : sigma) sum += s;
    return {.sigma = sum / static_cast<double>(sigma.size())};
}

Focus with_residual(Focus f, std::vector<double> const& z, std::vector<double> const& sigma) {
    for (std::size_t i = 0; i < z.size(); ++i) {
        double const square =
            f.sigma * f.sigma + 2 * f.covariance * z[i] + f.divergence * f.divergence * z[i] * z[i];
        double const off = std::sqrt(std::max(0.0, square)) - sigma[i];
        if (std::abs(off) <= std::abs(f.residual)) continue;
        f.residual = off;
        f.residual_at = z[i];
    }
    return f;
}

}  // namespace

Focus focus_of(std::vector<double> const& z, std::vector<double> const& sigma) {
    Focus const simple = with_residual(cone(z, sigma), z, sigma);
    auto const found = z.size() > 2 ? parabola(z, sigma) : std::nullopt;
    if (!found) return simple;
    Focus const f = with_residual(*found, z, sigma);
    return std::abs(f.residual) <= std::abs(simple.residual) ? f : simple;
}

}  // namespace sluice::proton

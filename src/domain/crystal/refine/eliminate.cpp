// Schur's complement of the place in a disk's normal equations.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/refine/eliminate.h"

#include <algorithm>

#include "domain/crystal/fit/solve.h"

namespace sluice::crystal {
namespace {

constexpr int row = 2, col = 3;  // among the unknowns of ScoreSums

double number(ScoreSums const& s, int i, int j) {
    return s.fisher[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
}

}  // namespace

std::optional<PlaceSums> eliminate(ScoreSums const& s, int unknowns) {
    std::array<int, PlaceSums::most> others{};
    int n = 0;
    for (int i = 0; i < unknowns; ++i)
        if (i != row && i != col) others[static_cast<std::size_t>(n++)] = i;
    auto const each = [&](auto const& value) {
        std::array<double, Cholesky::most> all{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) all[i] = value(others[i]);
        return all;
    };
    std::array<double, PlaceSums::most*(PlaceSums::most + 1) / 2> lower{};
    std::size_t k = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        for (std::size_t j = 0; j <= i; ++j) lower[k++] = number(s, others[i], others[j]);
    auto const factors = Cholesky::of(lower, n);
    if (!factors) return {};
    auto const with_row = each([&](int i) { return number(s, i, row); });
    auto const with_col = each([&](int i) { return number(s, i, col); });
    auto const own = factors->solve(each([&](int i) { return s.slopes[i]; }));
    auto const by_row = factors->solve(with_row), by_col = factors->solve(with_col);
    PlaceSums p{.weight = {number(s, row, row), number(s, row, col), number(s, col, col)},
                .slope_row = s.slopes[row],
                .slope_col = s.slopes[col],
                .var_height = factors->solve(each([](int i) { return i == 1 ? 1 : 0; }))[1]};
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        p.weight.rr -= with_row[i] * by_row[i];
        p.weight.rc -= with_row[i] * by_col[i];
        p.weight.cc -= with_col[i] * by_col[i];
        p.slope_row -= with_row[i] * own[i];
        p.slope_col -= with_col[i] * own[i];
        p.own[i] = own[i], p.by_row[i] = by_row[i], p.by_col[i] = by_col[i];
    }
    // Rounding of floats: a place that nothing is known of has no weight.
    bool const positive = p.weight.rr > 0 && p.weight.cc > 0 &&
                          p.weight.rr * p.weight.cc > 1.001 * p.weight.rc * p.weight.rc;
    if (!positive) return {};
    return p;
}

std::array<double, 2> PlaceSums::step() const {
    double const d = weight.rr * weight.cc - weight.rc * weight.rc;
    return {(weight.cc * slope_row - weight.rc * slope_col) / d,
            (weight.rr * slope_col - weight.rc * slope_row) / d};
}

void PlaceSums::follow(double rows, double cols, Crop const& crop, Model& m) const {
    auto const step = [&](std::size_t i) { return own[i] - rows * by_row[i] - cols * by_col[i]; };
    m.background = std::clamp(m.background + step(0), m.background / 4, 4 * m.background + 1e-4);
    m.height = std::clamp(m.height + step(1), 0.3 * m.height, 3 * m.height + 1e-4);
    std::size_t i = 2;
    if (!crop.shape) {
        double const most = 0.85 * m.background;
        m.slope_row = std::clamp(m.slope_row + step(i++), -most, most);
        m.slope_col = std::clamp(m.slope_col + step(i++), -most, most);
    }
    if (!crop.around) return;
    for (double& part : m.around)
        part = std::clamp(part + step(i++), -1.2 * m.height, 1.2 * m.height);
}

}  // namespace sluice::crystal

// Takes the mean of the lattices that are alike.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/lattice_mean.h"

#include <fmt/format.h>

#include <set>

#include "domain/crystal/calibrate/robust.h"

namespace sluice::crystal {
namespace {

using stem4d::LatticeReason;

constexpr double far_from_mean = 4;
// A disk lies on a lattice point where it is nearer than this part of the way to the next one.
constexpr double on_point = 0.15;

std::vector<std::array<double, 4>> fitted(stem4d::LatticeFit const& fit) {
    std::vector<std::array<double, 4>> all;
    for (std::size_t p = 0; p < fit.reason.size(); ++p) {
        if (fit.reason[p] != LatticeReason::fitted) continue;
        double const* const v = &fit.values.values[6 * p];
        all.push_back({v[2], v[3], v[4], v[5]});
    }
    return all;
}

std::array<std::array<double, 4>, 4> own_covariance(stem4d::LatticeFit const& fit) {
    std::array<std::array<double, 4>, 4> out{};
    auto const p = static_cast<std::size_t>(std::ranges::find(fit.reason, LatticeReason::fitted) -
                                            fit.reason.begin());
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            out[i][j] = fit.covariance.values[36 * p + 6 * (i + 2) + j + 2];
    return out;
}

}  // namespace

double LatticeMean::carried(std::array<double, 4> const& f, std::array<double, 4> const& g) const {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) sum += f[i] * covariance[i][j] * g[j];
    return sum;
}

Result<LatticeMean> mean_of(stem4d::LatticeFit const& fit) {
    auto const all = fitted(fit);
    if (all.empty())
        return Error{Code::invalid_argument,
                     fmt::format("no lattice was fitted in the {} patterns; look at their reasons",
                                 fit.reason.size())};
    std::array<double, 4> median{}, spread{};
    for (std::size_t k = 0; k < 4; ++k) {
        std::vector<double> of;
        for (auto const& v : all) of.push_back(v[k]);
        median[k] = middle_of(of);
        for (double& v : of) v -= median[k];
        spread[k] = std::max(spread_of(std::move(of)), 1e-9);
    }
    std::vector<std::array<double, 4>> alike;
    for (auto const& v : all) {
        double away = 0;
        for (std::size_t k = 0; k < 4; ++k)
            away = std::max(away, std::abs(v[k] - median[k]) / spread[k]);
        if (away <= far_from_mean) alike.push_back(v);
    }
    LatticeMean out;
    out.patterns = std::ssize(alike), out.others = std::ssize(all) - out.patterns;
    auto const n = static_cast<double>(alike.size());
    for (auto const& v : alike)
        for (std::size_t k = 0; k < 4; ++k) out.numbers[k] += v[k] / n;
    if (all.size() == 1) {
        out.covariance = own_covariance(fit);
        return out;
    }
    for (auto const& v : alike)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                out.covariance[i][j] +=
                    (v[i] - out.numbers[i]) * (v[j] - out.numbers[j]) / (n * std::max(n - 1, 1.0));
    return out;
}

std::map<std::array<int, 2>, index> occupied(stem4d::BraggVectors const& v,
                                             stem4d::LatticeFit const& fit) {
    std::map<std::array<int, 2>, index> count;
    for (std::size_t p = 0; p < fit.reason.size() && static_cast<index>(p) < v.patterns(); ++p) {
        if (fit.reason[p] != LatticeReason::fitted) continue;
        double const* const l = &fit.values.values[6 * p];
        Matrix2 const to = Matrix2{l[2], l[4], l[3], l[5]}.inverse();
        std::set<std::array<int, 2>> seen;
        for (auto j = static_cast<std::size_t>(v.first[p]);
             j < static_cast<std::size_t>(v.first[p + 1]); ++j) {
            stem4d::Point const at = to * stem4d::Point{static_cast<double>(v.row[j]) - l[0],
                                                        static_cast<double>(v.col[j]) - l[1]};
            if (!(std::abs(at.row) < 1000 && std::abs(at.col) < 1000)) continue;
            int h = static_cast<int>(nearest(at.row)), k = static_cast<int>(nearest(at.col));
            if (std::hypot(at.row - h, at.col - k) > on_point || (h == 0 && k == 0)) continue;
            if (h < 0 || (h == 0 && k < 0)) h = -h, k = -k;
            seen.insert({h, k});
        }
        for (auto const& hk : seen) ++count[hk];
    }
    return count;
}

}  // namespace sluice::crystal

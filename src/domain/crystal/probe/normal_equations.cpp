// Solves normal equations by Cholesky's factors.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/normal_equations.h"

#include <cmath>

namespace sluice::crystal {

void NormalEquations::add(index first, std::span<double const> slopes, double weight, double rest) {
    index const count = std::ssize(slopes);
    for (index a = 0; a < count; ++a) {
        double const part = weight * slopes[static_cast<std::size_t>(a)];
        double* const row = matrix_.data() + (first + a) * n_ + first;
        for (index b = 0; b <= a; ++b) row[b] += part * slopes[static_cast<std::size_t>(b)];
        right_[static_cast<std::size_t>(first + a)] += part * rest;
    }
}

std::optional<std::vector<double>> NormalEquations::factors(double damping) const {
    std::vector<double> l = matrix_;
    for (index i = 0; i < n_; ++i) {
        double* const row = l.data() + i * n_;
        double const own = row[i];
        row[i] *= 1 + damping;
        for (index j = 0; j <= i; ++j) {
            double const* const other = l.data() + j * n_;
            double s = row[j];
            for (index k = 0; k < j; ++k) s -= row[k] * other[k];
            if (i == j && !(s > 1e-12 * own)) return {};
            row[j] = i == j ? std::sqrt(s) : s / other[j];
        }
    }
    return l;
}

void NormalEquations::substitute(std::vector<double> const& l, std::vector<double>& x) const {
    auto const at = [&](index i, index j) { return l[static_cast<std::size_t>(i * n_ + j)]; };
    for (index i = 0; i < n_; ++i) {
        double& v = x[static_cast<std::size_t>(i)];
        for (index k = 0; k < i; ++k) v -= at(i, k) * x[static_cast<std::size_t>(k)];
        v /= at(i, i);
    }
    for (index i = n_ - 1; i >= 0; --i) {
        double& v = x[static_cast<std::size_t>(i)];
        for (index k = i + 1; k < n_; ++k) v -= at(k, i) * x[static_cast<std::size_t>(k)];
        v /= at(i, i);
    }
}

std::optional<std::vector<double>> NormalEquations::solve(double damping) const {
    auto const l = factors(damping);
    if (!l) return {};
    std::vector<double> x = right_;
    substitute(*l, x);
    return x;
}

std::optional<std::vector<double>> NormalEquations::inverse() const {
    auto const l = factors(0);
    if (!l) return {};
    std::vector<double> all;
    for (std::size_t i = 0; i < right_.size(); ++i) {
        std::vector<double> unit(right_.size());
        unit[i] = 1;
        substitute(*l, unit);
        all.insert(all.end(), unit.begin(), unit.end());
    }
    return all;
}

std::optional<std::vector<double>> NormalEquations::variances() const {
    auto const all = inverse();
    if (!all) return {};
    std::vector<double> diagonal;
    for (std::size_t i = 0; i < right_.size(); ++i)
        diagonal.push_back((*all)[i * right_.size() + i]);
    return diagonal;
}

}  // namespace sluice::crystal

// Cholesky's factors of small matrices.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/solve.h"

#include <cmath>

namespace sluice::crystal {
namespace {

using Row = std::array<double, Cholesky::most>;

double& number(Row& row, int i) {
    return row[static_cast<std::size_t>(i)];
}
double number(Row const& row, int i) {
    return row[static_cast<std::size_t>(i)];
}

}  // namespace

std::optional<Cholesky> Cholesky::of(std::span<double const> lower, int n) {
    Cholesky c;
    c.n_ = n;
    std::size_t k = 0;
    for (int i = 0; i < n; ++i) {
        Row& row = c.l_[static_cast<std::size_t>(i)];
        for (int j = 0; j <= i; ++j, ++k) {
            Row const& other = c.l_[static_cast<std::size_t>(j)];
            double s = lower[k];
            for (int q = 0; q < j; ++q) s -= number(row, q) * number(other, q);
            // Sums of floats are good to a millionth of the diagonal. NaN is refused, too.
            if (i == j && !(s > 1e-6 * lower[k])) return {};
            number(row, j) = i == j ? std::sqrt(s) : s / number(other, j);
        }
    }
    return c;
}

std::array<double, Cholesky::most> Cholesky::solve(std::span<double const> b) const {
    Row y{};
    for (int i = 0; i < n_; ++i) {
        Row const& row = l_[static_cast<std::size_t>(i)];
        double s = b[static_cast<std::size_t>(i)];
        for (int q = 0; q < i; ++q) s -= number(row, q) * number(y, q);
        number(y, i) = s / number(row, i);
    }
    for (int i = n_ - 1; i >= 0; --i) {
        double s = number(y, i);
        for (int q = i + 1; q < n_; ++q)
            s -= number(l_[static_cast<std::size_t>(q)], i) * number(y, q);
        number(y, i) = s / number(l_[static_cast<std::size_t>(i)], i);
    }
    return y;
}

}  // namespace sluice::crystal

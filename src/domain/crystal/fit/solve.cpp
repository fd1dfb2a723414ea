// Cholesky's factors of small matrices.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/fit/solve.h"

#include <cmath>

namespace sluice::crystal {
namespace {

// Where row i of the triangle begins.
constexpr int row(int i) {
    return i * (i + 1) / 2;
}

// The diagonal holds inverses: divisions take long, and each would wait for the last.
[[gnu::always_inline]] inline bool factors_of(double const* lower, int n, double* l) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = lower[row(i) + j];
            for (int q = 0; q < j; ++q) s -= l[row(i) + q] * l[row(j) + q];
            // Sums of floats are good to a millionth of the diagonal. NaN is refused, too.
            if (i == j && !(s > 1e-6 * lower[row(i) + j])) return false;
            l[row(i) + j] = i == j ? 1 / std::sqrt(s) : s * l[row(j) + j];
        }
    return true;
}

[[gnu::always_inline]] inline void solve_by(double const* l, int n, double const* b, double* y) {
    for (int i = 0; i < n; ++i) {
        double s = b[i];
        for (int q = 0; q < i; ++q) s -= l[row(i) + q] * y[q];
        y[i] = s * l[row(i) + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double s = y[i];
        for (int q = i + 1; q < n; ++q) s -= l[row(q) + i] * y[q];
        y[i] = s * l[row(i) + i];
    }
}

}  // namespace

// A disk has four unknowns nearly always: loops of a number that is known are laid out flat.
bool Cholesky::factor(std::span<double const> lower, int n) {
    n_ = n;
    return n == 4 ? factors_of(lower.data(), 4, l_.data()) : factors_of(lower.data(), n, l_.data());
}

std::optional<Cholesky> Cholesky::of(std::span<double const> lower, int n) {
    std::optional<Cholesky> out(std::in_place);
    if (!out->factor(lower, n)) out.reset();
    return out;
}

std::array<double, Cholesky::most> Cholesky::solve(std::span<double const> b) const {
    std::array<double, most> y{};
    n_ == 4 ? solve_by(l_.data(), 4, b.data(), y.data())
            : solve_by(l_.data(), n_, b.data(), y.data());
    return y;
}

}  // namespace sluice::crystal

// Solves the normal equations of a lattice by Cholesky's decomposition.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/lattice/normal6.h"

#include <cmath>

namespace sluice::crystal {
namespace {

using Square6 = std::array<std::array<double, 6>, 6>;

// Which of the six products belongs to two of (1, h, k).
constexpr std::size_t product_of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

Square6 matrix_of(Normal6 const& n) {
    Square6 m{};
    for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q) {
            std::size_t const i = product_of[p][q];
            m[2 * p][2 * q] = n.rr[i], m[2 * p + 1][2 * q + 1] = n.cc[i];
            m[2 * p][2 * q + 1] = m[2 * p + 1][2 * q] = n.rc[i];
        }
    return m;
}

// The lower triangle becomes L with L L^T = m, its diagonal 1 / L.
bool decompose(Square6& m) {
    for (std::size_t j = 0; j < 6; ++j) {
        double pivot = m[j][j];
        for (std::size_t k = 0; k < j; ++k) pivot -= m[j][k] * m[j][k];
        if (!(pivot > 1e-11 * m[j][j]) || !std::isfinite(pivot)) return false;
        double const inverse = 1 / std::sqrt(pivot);
        m[j][j] = inverse;
        for (std::size_t i = j + 1; i < 6; ++i) {
            double sum = m[i][j];
            for (std::size_t k = 0; k < j; ++k) sum -= m[i][k] * m[j][k];
            m[i][j] = sum * inverse;
        }
    }
    return true;
}

// The lower triangle of L^-1.
Square6 inverse_of(Square6 const& l) {
    Square6 inverse{};
    for (std::size_t j = 0; j < 6; ++j) {
        inverse[j][j] = l[j][j];
        for (std::size_t i = j + 1; i < 6; ++i) {
            double sum = 0;
            for (std::size_t k = j; k < i; ++k) sum -= l[i][k] * inverse[k][j];
            inverse[i][j] = sum * l[i][i];
        }
    }
    return inverse;
}

}  // namespace

bool Normal6::collinear() const {
    auto const& s = indices;
    double const hh = s[0] * s[3] - s[1] * s[1], hk = s[0] * s[4] - s[1] * s[2],
                 kk = s[0] * s[5] - s[2] * s[2];
    return !(hh * kk - hk * hk > 0.5);
}

bool Normal6::solve(std::array<double, 6>& step, std::array<double, 36>& inverse) const {
    Square6 m = matrix_of(*this);
    if (!decompose(m)) return false;
    Square6 const l = inverse_of(m);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = i; k < 6; ++k) sum += l[k][i] * l[k][j];
            inverse[6 * i + j] = inverse[6 * j + i] = sum;
        }
    for (std::size_t i = 0; i < 6; ++i) {
        step[i] = 0;
        for (std::size_t j = 0; j < 6; ++j) step[i] += inverse[6 * i + j] * right[j];
    }
    return true;
}

}  // namespace sluice::crystal

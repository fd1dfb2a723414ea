// Orthogonal modes by Jacobi's rotations of the Gram matrix, in double.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/modes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;
using Matrix = std::vector<std::vector<Complex>>;

// sum a* b.
template <class Real>
Complex product(Planar<Real> const& a, Planar<Real> const& b) {
    Complex sum{};
    for (index r = 0; r < a.rows(); ++r) {
        Complex row{};
        for (index c = 0; c < a.cols(); ++c)
            row += std::conj(Complex(a.at(r, c))) * Complex(b.at(r, c));
        sum += row;
    }
    return sum;
}

template <class Real>
void add_scaled(Planar<Real>& to, Complex factor, Planar<Real> const& from) {
    for (index r = 0; r < to.rows(); ++r)
        for (index c = 0; c < to.cols(); ++c)
            to.set(r, c,
                   static_cast<std::complex<Real>>(Complex(to.at(r, c)) +
                                                   factor * Complex(from.at(r, c))));
}

template <class Real>
void scale(Planar<Real>& plane, double factor) {
    for (index r = 0; r < plane.rows(); ++r) {
        Real* const z = plane.re(r);
        for (index i = 0; i < 2 * plane.half(); ++i) z[i] *= static_cast<Real>(factor);
    }
}

// Turns the Hermitian `m` diagonal; the columns of the answer are its eigenvectors.
Matrix diagonalise(Matrix& m) {
    std::size_t const n = m.size();
    Matrix v(n, std::vector<Complex>(n));
    for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
    for (int sweep = 0; sweep < 50; ++sweep) {
        double rest = 0, all = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) (i == j ? all : rest) += std::norm(m[i][j]);
        if (rest <= 1e-30 * all) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                double const size = std::abs(m[p][q]);
                if (size == 0) continue;
                Complex const phase = m[p][q] / size;
                double const angle = 0.5 * std::atan2(2 * size, m[p][p].real() - m[q][q].real());
                double const c = std::cos(angle), s = std::sin(angle);
                // Columns p and q of m and v, then rows p and q of m.
                auto const turn = [&](Complex& a, Complex& b) {
                    Complex const x = c * a + s * std::conj(phase) * b;
                    b = -s * phase * a + c * b;
                    a = x;
                };
                for (std::size_t i = 0; i < n; ++i) {
                    turn(m[i][p], m[i][q]);
                    turn(v[i][p], v[i][q]);
                }
                for (std::size_t i = 0; i < n; ++i) {
                    Complex const a = m[p][i], b = m[q][i];
                    m[p][i] = c * a + s * phase * b;
                    m[q][i] = -s * std::conj(phase) * a + c * b;
                }
            }
    }
    return v;
}

}  // namespace

template <class Real>
std::vector<double> mode_powers(std::vector<Planar<Real>> const& probe) {
    std::vector<double> powers;
    for (auto const& mode : probe) powers.push_back(product(mode, mode).real());
    return powers;
}

template <class Real>
void make_orthogonal(std::vector<Planar<Real>>& probe) {
    std::size_t const n = probe.size();
    if (n < 2) return;
    Matrix gram(n, std::vector<Complex>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            gram[i][j] = j < i ? std::conj(gram[j][i]) : product(probe[i], probe[j]);
    Matrix const vectors = diagonalise(gram);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return gram[a][a].real() > gram[b][b].real();
    });
    std::vector<Planar<Real>> turned;
    for (std::size_t m : order) {
        turned.emplace_back(probe.front().rows(), probe.front().cols());
        for (std::size_t i = 0; i < n; ++i) add_scaled(turned.back(), vectors[i][m], probe[i]);
    }
    probe = std::move(turned);
}

template <class Real>
void add_modes(std::vector<Planar<Real>>& probe, index count) {
    index const given = std::ssize(probe);
    if (count <= given) return;
    Planar<Real> const first = probe.front();
    index const n = first.rows();
    double const power = product(first, first).real();
    double all = 0;
    for (double p : mode_powers(probe)) all += p;
    double const part = std::min(0.02, 0.5 / static_cast<double>(count - given));
    // The centre and the width of its intensity.
    double row = 0, col = 0, spread = 0;
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            double const w = std::norm(Complex(first.at(r, c))) / power;
            row += w * static_cast<double>(r);
            col += w * static_cast<double>(c);
        }
    auto const square = [](double x) { return x * x; };
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            spread += std::norm(Complex(first.at(r, c))) / power *
                      (square(static_cast<double>(r) - row) + square(static_cast<double>(c) - col));
    double const width = std::sqrt(spread / 2) + 1e-9;
    // A narrow probe has no place for more, whatever the order.
    for (index order = 1; std::ssize(probe) < count && order <= 40; ++order)
        for (index up = order; up >= 0 && std::ssize(probe) < count; --up) {
            Planar<Real> mode(n, n);
            for (index r = 0; r < n; ++r)
                for (index c = 0; c < n; ++c) {
                    double const y = (static_cast<double>(r) - row) / width;
                    double const x = (static_cast<double>(c) - col) / width;
                    double const factor = std::pow(y, static_cast<double>(up)) *
                                          std::pow(x, static_cast<double>(order - up)) *
                                          std::exp(-(x * x + y * y) / 8);
                    mode.set(r, c, first.at(r, c) * static_cast<Real>(factor));
                }
            // Twice, since once leaves what rounding lost.
            for (int i = 0; i < 2; ++i)
                for (auto const& other : probe)
                    if (double const size = product(other, other).real(); size > 0)
                        add_scaled(mode, -product(other, mode) / size, other);
            double const length = product(mode, mode).real();
            // The mode became 0, or it is not finite.
            if (!(length > 1e-12 * power && std::isfinite(length))) continue;
            scale(mode, std::sqrt(part * all / length));
            probe.push_back(std::move(mode));
        }
    for (index k = 0; k < given; ++k)
        scale(probe[static_cast<std::size_t>(k)],
              std::sqrt(1 - part * static_cast<double>(std::ssize(probe) - given)));
}

template std::vector<double> mode_powers(std::vector<Planar<float>> const&);
template std::vector<double> mode_powers(std::vector<Planar<double>> const&);
template void make_orthogonal(std::vector<Planar<float>>&);
template void make_orthogonal(std::vector<Planar<double>>&);
template void add_modes(std::vector<Planar<float>>&, index);
template void add_modes(std::vector<Planar<double>>&, index);

}  // namespace sluice::ptycho

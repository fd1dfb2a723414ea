// The strongest straight wave: first among those of a transform, then between them.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/compare/tilt.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fft/fft.h"

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;
constexpr double whole_turn = 2 * std::numbers::pi;

// The sum and its derivatives by the tilt. Places count from the middle, where Newton's equations
// are at their best.
struct TiltSums {
    Complex s, r, c, rr, rc, cc;
};

// exp(-i by (k - middle)).
std::vector<Complex> waves(index n, double by) {
    std::vector<Complex> w;
    index const middle = n / 2;
    for (index i = 0; i < n; ++i)
        w.push_back(std::polar(1.0, -by * static_cast<double>(i - middle)));
    return w;
}

// Written out: std::complex's product looks for infinities.
Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// A plane, and of each row what lies between its first and last number: where one place of a scan
// is far away, nearly all is 0.
class TiltedPlane {
  public:
    TiltedPlane(std::span<Complex const> z, index rows, index cols)
        : z_(z), rows_(rows), cols_(cols) {
        for (index r = 0; r < rows; ++r) {
            index first = 0, end = cols;
            while (first < end && at(r)[first] == Complex{}) ++first;
            while (end > first && at(r)[end - 1] == Complex{}) --end;
            filled_.push_back({first, end});
        }
    }

    // Of each row, tilted along it.
    std::vector<Complex> row_sums(double col) const {
        auto const by_col = waves(cols_, col);
        std::vector<Complex> sums;
        for (index r = 0; r < rows_; ++r) {
            Complex s{};
            for (index k = first(r); k < end(r); ++k)
                s += times(at(r)[k], by_col[static_cast<std::size_t>(k)]);
            sums.push_back(s);
        }
        return sums;
    }

    std::vector<Complex> col_sums(double row) const {
        auto const by_row = waves(rows_, row);
        std::vector<Complex> sums(static_cast<std::size_t>(cols_));
        for (index r = 0; r < rows_; ++r)
            for (index k = first(r); k < end(r); ++k)
                sums[static_cast<std::size_t>(k)] +=
                    times(at(r)[k], by_row[static_cast<std::size_t>(r)]);
        return sums;
    }

    TiltSums sums_at(double row, double col) const {
        auto const by_row = waves(rows_, row), by_col = waves(cols_, col);
        index const middle_row = rows_ / 2, middle_col = cols_ / 2;
        TiltSums all;
        for (index r = 0; r < rows_; ++r) {
            Complex s{}, c{}, cc{};
            for (index k = first(r); k < end(r); ++k) {
                Complex const v = times(at(r)[k], by_col[static_cast<std::size_t>(k)]);
                auto const x = static_cast<double>(k - middle_col);
                s += v;
                c += x * v;
                cc += x * x * v;
            }
            Complex const w = by_row[static_cast<std::size_t>(r)];
            auto const y = static_cast<double>(r - middle_row);
            all.s += w * s;
            all.r += y * w * s;
            all.c += w * c;
            all.rr += y * y * w * s;
            all.rc += y * w * c;
            all.cc += w * cc;
        }
        Complex const i(0, 1);
        return {all.s, -i * all.r, -i * all.c, -all.rr, -all.rc, -all.cc};
    }

  private:
    Complex const* at(index r) const { return z_.data() + r * cols_; }
    index first(index r) const { return filled_[static_cast<std::size_t>(r)][0]; }
    index end(index r) const { return filled_[static_cast<std::size_t>(r)][1]; }

    std::span<Complex const> z_;
    index rows_, cols_;
    std::vector<std::array<index, 2>> filled_ = {};
};

double signed_of(index k, index n) {
    return static_cast<double>(k <= n / 2 ? k : k - n);
}

// Where a parabola through three values, at -h, 0 and h, is largest; at most h away.
double peak_of(double before, double here, double after, double h) {
    // One row or column has no tilt.
    if (std::max(std::abs(before - here), std::abs(after - here)) < 1e-9) return 0;
    double const bend = before - 2 * here + after;
    if (bend >= 0) return before > after ? -h : h;
    return std::clamp(0.5 * h * (before - after) / bend, -h, h);
}

// How much sums are worth under a wave along them, and where the parabola is largest: `h` away at
// most.
double peak_along(std::vector<Complex> const& sums, double here, double h) {
    auto const power = [&](double by) {
        auto const wave = waves(std::ssize(sums), by);
        Complex all{};
        for (std::size_t i = 0; i < sums.size(); ++i) all += times(sums[i], wave[i]);
        return std::log(std::norm(all) + 1e-300);
    };
    return peak_of(power(here - h), power(here), power(here + h), h);
}

// The strongest of the transform's waves. Float tells them apart; what makes the answer fine comes
// after.
Result<Tilt> strongest_wave(std::span<Complex const> z, index rows, index cols,
                            std::array<double, 2> most) {
    double largest = 0;
    for (Complex const& v : z)
        largest = std::max({largest, std::abs(v.real()), std::abs(v.imag())});
    double const scale = largest > 0 ? 1 / largest : 1;
    std::vector<std::complex<float>> spectrum;
    spectrum.reserve(z.size());
    for (Complex const& v : z) spectrum.emplace_back(v * scale);
    SLUICE_TRY(auto const plan, fft::Plan<float>::make({.shape = {rows, cols}}));
    SLUICE_CHECK(plan.forward(spectrum));
    Tilt best;
    float strongest = -1;
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            double const y = signed_of(k, rows), x = signed_of(l, cols);
            if (std::abs(y) > most[0] || std::abs(x) > most[1]) continue;
            float const power = std::norm(spectrum[static_cast<std::size_t>(k * cols + l)]);
            if (power <= strongest) continue;
            strongest = power;
            best.row = whole_turn * y / static_cast<double>(rows);
            best.col = whole_turn * x / static_cast<double>(cols);
        }
    return best;
}

}  // namespace

Result<Tilt> strongest_tilt(std::span<Complex const> z, index rows, index cols,
                            std::array<double, 2> most) {
    SLUICE_TRY(Tilt best, strongest_wave(z, rows, cols, most));
    TiltedPlane const plane(z, rows, cols);
    for (double const part : {0.5, 0.25}) {
        best.row += peak_along(plane.row_sums(best.col), best.row,
                               part * whole_turn / static_cast<double>(rows));
        best.col += peak_along(plane.col_sums(best.row), best.col,
                               part * whole_turn / static_cast<double>(cols));
    }
    TiltSums at = plane.sums_at(best.row, best.col);
    for (int i = 0; i < 6; ++i) {
        auto const dot = [](Complex a, Complex b) { return (std::conj(a) * b).real(); };
        double const g[] = {dot(at.s, at.r), dot(at.s, at.c)};
        double const h[] = {dot(at.r, at.r) + dot(at.s, at.rr), dot(at.r, at.c) + dot(at.s, at.rc),
                            dot(at.c, at.c) + dot(at.s, at.cc)};
        double const det = h[0] * h[2] - h[1] * h[1];
        if (!(h[0] < 0 && det > 0)) break;
        double const row = best.row - (h[2] * g[0] - h[1] * g[1]) / det;
        double const col = best.col - (h[0] * g[1] - h[1] * g[0]) / det;
        TiltSums const next = plane.sums_at(row, col);
        if (!(std::norm(next.s) > std::norm(at.s))) break;
        best.row = row, best.col = col, at = next;
    }
    // The sum counts from the middle; the answer from the first number.
    index const middle_row = rows / 2, middle_col = cols / 2;
    best.sum = at.s * std::polar(1.0, -best.row * static_cast<double>(middle_row) -
                                          best.col * static_cast<double>(middle_col));
    return best;
}

}  // namespace sluice::ptycho

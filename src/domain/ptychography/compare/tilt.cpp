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

TiltSums sums_at(std::span<Complex const> z, index rows, index cols, double row, double col) {
    auto const waves = [](index n, double by) {
        std::vector<Complex> w;
        index const middle = n / 2;
        for (index i = 0; i < n; ++i)
            w.push_back(std::polar(1.0, -by * static_cast<double>(i - middle)));
        return w;
    };
    auto const by_row = waves(rows, row), by_col = waves(cols, col);
    index const middle_row = rows / 2, middle_col = cols / 2;
    TiltSums all;
    for (index r = 0; r < rows; ++r) {
        Complex s{}, c{}, cc{};
        Complex const* const line = z.data() + r * cols;
        for (index k = 0; k < cols; ++k) {
            Complex const a = line[k], b = by_col[static_cast<std::size_t>(k)];
            // Written out: std::complex's product looks for infinities.
            Complex const v(a.real() * b.real() - a.imag() * b.imag(),
                            a.real() * b.imag() + a.imag() * b.real());
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

double signed_of(index k, index n) {
    return static_cast<double>(k <= n / 2 ? k : k - n);
}

// Where a parabola through three values, at -h, 0 and h, is largest; at most h away.
double peak_of(double before, double here, double after, double h) {
    double const bend = before - 2 * here + after;
    if (bend >= 0) return before > after ? -h : h;
    return std::clamp(0.5 * h * (before - after) / bend, -h, h);
}

}  // namespace

Result<Tilt> strongest_tilt(std::span<Complex const> z, index rows, index cols,
                            std::array<double, 2> most) {
    SLUICE_TRY(auto const plan, fft::Plan<double>::make({.shape = {rows, cols}}));
    std::vector<Complex> spectrum(z.begin(), z.end());
    SLUICE_CHECK(plan.forward(spectrum));
    Tilt best;
    double largest = -1;
    for (index k = 0; k < rows; ++k)
        for (index l = 0; l < cols; ++l) {
            double const y = signed_of(k, rows), x = signed_of(l, cols);
            if (std::abs(y) > most[0] || std::abs(x) > most[1]) continue;
            double const power = std::norm(spectrum[static_cast<std::size_t>(k * cols + l)]);
            if (power <= largest) continue;
            largest = power;
            best.row = whole_turn * y / static_cast<double>(rows);
            best.col = whole_turn * x / static_cast<double>(cols);
        }
    auto const power = [&](double row, double col) {
        return std::log(std::norm(sums_at(z, rows, cols, row, col).s) + 1e-300);
    };
    for (double const part : {0.5, 0.25}) {
        double const h = part * whole_turn / static_cast<double>(rows);
        best.row += peak_of(power(best.row - h, best.col), power(best.row, best.col),
                            power(best.row + h, best.col), h);
        double const w = part * whole_turn / static_cast<double>(cols);
        best.col += peak_of(power(best.row, best.col - w), power(best.row, best.col),
                            power(best.row, best.col + w), w);
    }
    TiltSums at = sums_at(z, rows, cols, best.row, best.col);
    for (int i = 0; i < 6; ++i) {
        auto const dot = [](Complex a, Complex b) { return (std::conj(a) * b).real(); };
        double const g[] = {dot(at.s, at.r), dot(at.s, at.c)};
        double const h[] = {dot(at.r, at.r) + dot(at.s, at.rr), dot(at.r, at.c) + dot(at.s, at.rc),
                            dot(at.c, at.c) + dot(at.s, at.cc)};
        double const det = h[0] * h[2] - h[1] * h[1];
        if (!(h[0] < 0 && det > 0)) break;
        double const row = best.row - (h[2] * g[0] - h[1] * g[1]) / det;
        double const col = best.col - (h[0] * g[1] - h[1] * g[0]) / det;
        TiltSums const next = sums_at(z, rows, cols, row, col);
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

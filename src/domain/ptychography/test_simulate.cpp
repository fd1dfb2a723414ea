// The simulation for tests: every transform is a plain sum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/test_simulate.h"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace sluice::ptycho {

namespace {

using Complex = std::complex<double>;
using stem4d::Position;
constexpr double pi = std::numbers::pi;

std::size_t at(index n, index r, index c) {
    return static_cast<std::size_t>(r * n + c);
}

// The sum of x exp(-+ 2 pi i (k r + l c) / n) / n, rows first.
std::vector<Complex> transform(std::vector<Complex> const& x, index n, double sign = -1) {
    std::vector<Complex> root(static_cast<std::size_t>(n)), half(x.size()), found(x.size());
    for (index i = 0; i < n; ++i)
        root[static_cast<std::size_t>(i)] =
            std::polar(1.0, sign * 2 * pi * static_cast<double>(i) / static_cast<double>(n));
    for (index r = 0; r < n; ++r)
        for (index l = 0; l < n; ++l)
            for (index c = 0; c < n; ++c)
                half[at(n, r, l)] += x[at(n, r, c)] * root[static_cast<std::size_t>(c * l % n)];
    for (index k = 0; k < n; ++k)
        for (index l = 0; l < n; ++l) {
            Complex sum{};
            for (index r = 0; r < n; ++r)
                sum += half[at(n, r, l)] * root[static_cast<std::size_t>(r * k % n)];
            found[at(n, k, l)] = sum / static_cast<double>(n);
        }
    return found;
}

double signed_frequency(index i, index n) {
    return static_cast<double>(i < n / 2 ? i : i - n);
}

// Over a distance, by the exact angular spectrum without the common phase, tilted.
std::vector<Complex> spread(std::vector<Complex> const& x, index n, Simulation const& s,
                            double distance, std::array<double, 2> tilt) {
    auto spectrum = transform(x, n);
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            double const unit = s.wavelength_nm / (static_cast<double>(n) * s.pixel_nm);
            double const a = unit * signed_frequency(r, n), b = unit * signed_frequency(c, n);
            double const turns =
                (std::sqrt(1 - a * a - b * b) - 1 + a * std::tan(tilt[0]) + b * std::tan(tilt[1])) /
                s.wavelength_nm;
            spectrum[at(n, r, c)] *= std::polar(1.0, 2 * pi * distance * turns);
        }
    return transform(spectrum, n, 1);
}

// Of continuous places; the second slice is another one.
Complex thing(Simulation const& s, double y, double x, index slice) {
    if (s.wish.object) return s.wish.object(y, x);
    if (slice > 0)
        return std::polar(1.0, 0.6 * std::sin(0.47 * x - 0.31 * y) * std::cos(0.23 * x + 0.36 * y));
    double const phase = 0.5 * std::sin(0.41 * x + 0.13 * y) * std::cos(0.29 * y) +
                         0.3 * std::sin(0.53 * y - 0.2 * x);
    return std::polar(1 - 0.15 * (1 + std::sin(0.37 * x)), phase);
}

std::vector<double> pattern_of(std::vector<Complex> const& probe, Position p, Position descan,
                               index n, Simulation const& s) {
    std::vector<Complex> wave = probe;
    for (index slice = 0; slice < s.slices; ++slice) {
        if (slice > 0) wave = spread(wave, n, s, s.slice_nm, s.tilt_rad);
        for (index r = 0; r < n; ++r)
            for (index c = 0; c < n; ++c)
                wave[at(n, r, c)] *=
                    thing(s, p.row + static_cast<double>(r), p.col + static_cast<double>(c), slice);
    }
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c)
            wave[at(n, r, c)] *= std::polar(1.0, 2 * pi *
                                                     (descan.row * static_cast<double>(r) +
                                                      descan.col * static_cast<double>(c)) /
                                                     static_cast<double>(n));
    wave = s.near_nm > 0 ? spread(wave, n, s, s.near_nm, {}) : transform(wave, n);
    std::vector<double> found(static_cast<std::size_t>(s.side * s.side));
    // Bins about zero frequency, which is the middle of them all.
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            index const y = (r + n / 2) % n / s.bin, x = (c + n / 2) % n / s.bin;
            index const from = s.near_nm > 0 ? 0 : s.side / 2;
            found[at(s.side, (y + s.side - from) % s.side, (x + s.side - from) % s.side)] +=
                std::norm(s.near_nm > 0 ? wave[at(n, (r + n / 2) % n, (c + n / 2) % n)]
                                        : wave[at(n, r, c)]);
        }
    return found;
}

double normal(std::mt19937_64& bits) {
    double const u = static_cast<double>((bits() >> 11) + 1) * 0x1p-53;
    double const v = static_cast<double>(bits() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * pi * v);
}

}  // namespace

std::vector<double> background_of(Simulation const& s) {
    std::vector<double> plane;
    for (index r = 0; r < s.side; ++r)
        for (index c = 0; c < s.side; ++c)
            plane.push_back(s.background * std::exp(-8 *
                                                    (std::pow(signed_frequency(r, s.side), 2) +
                                                     std::pow(signed_frequency(c, s.side), 2)) /
                                                    static_cast<double>(s.side * s.side)));
    return plane;
}

double apart(std::vector<Position> const& a, std::vector<Position> const& b) {
    double mean[2] = {}, sum = 0;
    auto const n = static_cast<double>(a.size());
    for (std::size_t j = 0; j < a.size(); ++j) {
        mean[0] += (a[j].row - b[j].row) / n;
        mean[1] += (a[j].col - b[j].col) / n;
    }
    for (std::size_t j = 0; j < a.size(); ++j)
        sum +=
            std::pow(a[j].row - b[j].row - mean[0], 2) + std::pow(a[j].col - b[j].col - mean[1], 2);
    return std::sqrt(sum / n);
}

Truth simulate(Simulation const& s) {
    Truth truth;
    index const side = s.side * s.bin;
    truth.side = side;
    std::mt19937_64 bits(17);
    auto const shaken = [&] {
        return std::round((static_cast<double>(bits() >> 11) * 0x1p-53 - 0.5) * s.step * 0.6);
    };
    index largest = 0;
    for (index r = 0; r < s.places; ++r)
        for (index c = 0; c < s.places; ++c) {
            Position const p{std::round(static_cast<double>(r + 1) * s.step) + shaken(),
                             std::round(static_cast<double>(c + 1) * s.step) + shaken()};
            truth.patterns.positions.push_back(p);
            largest = std::max({largest, static_cast<index>(p.row), static_cast<index>(p.col)});
        }
    truth.rows = truth.cols = largest + side + 1;
    for (index r = 0; r < truth.rows; ++r)
        for (index c = 0; c < truth.cols; ++c)
            truth.object.push_back(thing(s, static_cast<double>(r), static_cast<double>(c), 0));
    auto const middle = static_cast<double>(side) / 2;
    double power = 0;
    for (index r = 0; r < side; ++r)
        for (index c = 0; c < side; ++c) {
            double const y = (static_cast<double>(r) - middle) / (0.16 * static_cast<double>(side));
            double const x = (static_cast<double>(c) - middle) / (0.16 * static_cast<double>(side));
            truth.probe.push_back(
                std::polar(std::exp(-0.5 * (x * x + y * y)), 0.8 * (x * x + y * y) + 0.3 * x * y));
            power += std::norm(truth.probe.back());
        }
    for (auto& z : truth.probe) z *= std::sqrt(s.counts / power);
    double const half = 0.5 * static_cast<double>(s.places) * s.step;
    auto const background = background_of(s);
    std::vector<float> measured;
    for (auto const& p : truth.patterns.positions) {
        double const y = p.row - half, x = p.col - half;
        Position q{half + s.affine[0] * y + s.affine[1] * x,
                   half + s.affine[2] * y + s.affine[3] * x};
        if (s.jitter > 0) {
            q.row += s.jitter * normal(bits);
            q.col += s.jitter * normal(bits);
        }
        truth.positions.push_back(q);
        Position const descan{(s.descan[0] * y + s.descan[1] * x) / half,
                              (s.descan[2] * y + s.descan[3] * x) / half};
        auto probe = truth.probe;
        if (s.wish.probe)
            for (index r = 0; r < side; ++r)
                for (index c = 0; c < side; ++c)
                    probe[at(side, r, c)] *= s.wish.probe(std::ssize(truth.positions) - 1,
                                                          static_cast<double>(r) - middle,
                                                          static_cast<double>(c) - middle);
        auto const pattern = pattern_of(probe, q, descan, side, s);
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            double v = pattern[i] + background[i];
            if (s.noise) v = static_cast<double>(std::poisson_distribution<long>(v)(bits));
            measured.push_back(static_cast<float>(v));
        }
    }
    truth.patterns.size = s.side;
    truth.patterns.counts = std::move(measured);
    truth.patterns.wavelength_nm = s.wavelength_nm;
    truth.patterns.pixel_nm = s.pixel_nm;
    return truth;
}

Truth simulate(index side, index places, double step, double counts, bool noise) {
    return simulate(
        {.side = side, .places = places, .step = step, .counts = counts, .noise = noise});
}

Truth simulate(index side, index places, double step, double counts, bool noise, Wish const& wish) {
    return simulate({.side = side,
                     .places = places,
                     .step = step,
                     .counts = counts,
                     .noise = noise,
                     .wish = wish});
}

namespace {

/// Of a pixel: 1, row, column, other fitted terms, and the found phase less the true one.
using Point = std::array<double, 5>;

// About the middle of the object. The constant of an angle may sit at its cut: it is turned by the
// mean direction first.
std::vector<Point> phases_of(stem4d::PtychographyResult const& result, Truth const& truth) {
    index const cols = result.object.shape[2];
    std::vector<Point> points;
    index const low = truth.side / 2 + 6, high = truth.rows - truth.side / 2 - 8;
    for (index r = low; r < high; ++r)
        for (index c = low; c < high; ++c) {
            index const row = r + static_cast<index>(std::lround(result.shift.row));
            index const col = c + static_cast<index>(std::lround(result.shift.col));
            Complex const found(result.object.values[static_cast<std::size_t>(row * cols + col)]);
            Complex const known = truth.object[at(truth.cols, r, c)];
            points.push_back({1, static_cast<double>(r - low), static_cast<double>(c - low),
                              std::arg(known), std::arg(found * std::conj(known))});
        }
    Complex mean{};
    for (auto const& p : points) mean += std::polar(1.0, p[4]);
    for (auto& p : points) p[4] = std::arg(std::polar(1.0, p[4]) * std::conj(mean));
    return points;
}

// The least squares of the last numbers by the first `count`; the points keep the remainders.
std::array<double, 4> fit(std::vector<Point>& points, std::size_t count) {
    double sums[4][5] = {};
    for (auto const& p : points)
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < 5; ++j) sums[i][j] += p[i] * p[j];
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < count; ++k) {
            if (k == i) continue;
            double const f = sums[k][i] / sums[i][i];
            for (std::size_t j = 0; j < 5; ++j) sums[k][j] -= f * sums[i][j];
        }
    std::array<double, 4> found{};
    for (std::size_t i = 0; i < count; ++i) found[i] = sums[i][4] / sums[i][i];
    for (auto& p : points)
        for (std::size_t i = 0; i < count; ++i) p[4] -= p[i] * found[i];
    return found;
}

}  // namespace

double phase_error(stem4d::PtychographyResult const& result, Truth const& truth) {
    auto points = phases_of(result, truth);
    fit(points, 3);
    double error = 0;
    for (auto const& p : points) error += p[4] * p[4];
    return std::sqrt(error / static_cast<double>(points.size()));
}

double phase_slope(stem4d::PtychographyResult const& result, Truth const& truth) {
    auto points = phases_of(result, truth);
    return 1 + fit(points, 4)[3];
}

}  // namespace sluice::ptycho

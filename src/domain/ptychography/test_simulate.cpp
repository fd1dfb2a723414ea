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
constexpr double pi = std::numbers::pi;

// |sum of x exp(-2 pi i (k r + l c) / n)|^2 / n^2, rows first.
std::vector<double> pattern_of(std::vector<Complex> const& x, index n) {
    std::vector<Complex> root(static_cast<std::size_t>(n)), half(x.size());
    for (index i = 0; i < n; ++i)
        root[static_cast<std::size_t>(i)] =
            std::polar(1.0, -2 * pi * static_cast<double>(i) / static_cast<double>(n));
    auto const at = [n](index r, index c) { return static_cast<std::size_t>(r * n + c); };
    for (index r = 0; r < n; ++r)
        for (index l = 0; l < n; ++l)
            for (index c = 0; c < n; ++c)
                half[at(r, l)] += x[at(r, c)] * root[static_cast<std::size_t>(c * l % n)];
    std::vector<double> found(x.size());
    for (index k = 0; k < n; ++k)
        for (index l = 0; l < n; ++l) {
            Complex sum{};
            for (index r = 0; r < n; ++r)
                sum += half[at(r, l)] * root[static_cast<std::size_t>(r * k % n)];
            found[at(k, l)] = std::norm(sum) / static_cast<double>(n * n);
        }
    return found;
}

}  // namespace

Truth simulate(index side, index places, double step, double counts, bool noise) {
    return simulate(side, places, step, counts, noise, Wish{});
}

Truth simulate(index side, index places, double step, double counts, bool noise, Wish const& wish) {
    Truth truth;
    truth.side = side;
    std::mt19937_64 bits(17);
    auto const jitter = [&] {
        return std::round((static_cast<double>(bits() >> 11) * 0x1p-53 - 0.5) * step * 0.6);
    };
    index largest = 0;
    for (index r = 0; r < places; ++r)
        for (index c = 0; c < places; ++c) {
            stem4d::Position const p{std::round(static_cast<double>(r + 1) * step) + jitter(),
                                     std::round(static_cast<double>(c + 1) * step) + jitter()};
            truth.patterns.positions.push_back(p);
            largest = std::max({largest, static_cast<index>(p.row), static_cast<index>(p.col)});
        }
    truth.rows = truth.cols = largest + side + 1;
    for (index r = 0; r < truth.rows; ++r)
        for (index c = 0; c < truth.cols; ++c) {
            auto const y = static_cast<double>(r), x = static_cast<double>(c);
            double const phase = 0.5 * std::sin(0.41 * x + 0.13 * y) * std::cos(0.29 * y) +
                                 0.3 * std::sin(0.53 * y - 0.2 * x);
            truth.object.push_back(wish.object
                                       ? wish.object(y, x)
                                       : std::polar(1 - 0.15 * (1 + std::sin(0.37 * x)), phase));
        }
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
    for (auto& z : truth.probe) z *= std::sqrt(counts / power);
    std::vector<float> measured;
    for (index j = 0; j < truth.patterns.count(); ++j) {
        auto const& p = truth.patterns.positions[static_cast<std::size_t>(j)];
        std::vector<Complex> wave;
        for (index r = 0; r < side; ++r)
            for (index c = 0; c < side; ++c) {
                wave.push_back(truth.probe[static_cast<std::size_t>(r * side + c)] *
                               truth.object[static_cast<std::size_t>(
                                   (static_cast<index>(p.row) + r) * truth.cols +
                                   static_cast<index>(p.col) + c)]);
                if (wish.probe)
                    wave.back() *= wish.probe(j, static_cast<double>(r) - middle,
                                              static_cast<double>(c) - middle);
            }
        for (double v : pattern_of(wave, side)) {
            if (noise) v = std::poisson_distribution<long>(v)(bits);
            measured.push_back(static_cast<float>(v));
        }
    }
    truth.patterns.size = side;
    truth.patterns.counts = std::move(measured);
    return truth;
}

double phase_error(stem4d::PtychographyResult const& result, Truth const& truth) {
    index const cols = result.object.shape[2];
    double sums[3][4] = {};
    std::vector<std::array<double, 4>> points;
    index const low = truth.side / 2 + 6, high = truth.rows - truth.side / 2 - 8;
    for (index r = low; r < high; ++r)
        for (index c = low; c < high; ++c) {
            index const row = r + static_cast<index>(std::lround(result.shift.row));
            index const col = c + static_cast<index>(std::lround(result.shift.col));
            std::complex<double> const found(
                result.object.values[static_cast<std::size_t>(row * cols + col)]);
            auto const known = truth.object[static_cast<std::size_t>(r * truth.cols + c)];
            points.push_back({1, static_cast<double>(r - low), static_cast<double>(c - low),
                              std::arg(found * std::conj(known))});
        }
    // The constant of an angle may sit at its cut: turn by the mean direction first.
    std::complex<double> mean{};
    for (auto const& p : points) mean += std::polar(1.0, p[3]);
    for (auto& p : points) p[3] = std::arg(std::polar(1.0, p[3]) * std::conj(mean));
    for (auto const& p : points)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j)
                sums[i][j] += p[static_cast<std::size_t>(i)] * p[static_cast<std::size_t>(j)];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            if (k == i) continue;
            double const f = sums[k][i] / sums[i][i];
            for (int j = 0; j < 4; ++j) sums[k][j] -= f * sums[i][j];
        }
    double error = 0;
    for (auto const& p : points) {
        double v = p[3];
        for (int i = 0; i < 3; ++i) v -= p[static_cast<std::size_t>(i)] * sums[i][3] / sums[i][i];
        error += v * v;
    }
    return std::sqrt(error / static_cast<double>(points.size()));
}

}  // namespace sluice::ptycho

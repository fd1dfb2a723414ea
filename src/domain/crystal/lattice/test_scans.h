// Disks of deformed crystals, for tests: a grid of atoms is deformed in real space, and waves that
// fit the grid are computed from it. Nothing here is shared with what is tested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "sluice/lattice.h"

namespace sluice::crystal::test {

/// [row][column].
using Square = std::array<std::array<double, 2>, 2>;
using Six = std::array<double, 6>;

struct Crystal {
    /// Steps of the grid of atoms, as columns. The wave vectors have `scale` pixels for 1 / length.
    Square steps{{{4.0, 0.3}, {-0.2, 3.6}}};
    double scale = 100;
};

/// The two wave vectors whose phase grows by one along one step and not along the other one, of the
/// grid that F deforms: {a row, a col, b row, b col}, px.
inline std::array<double, 4> waves_of(Crystal const& c, Square const& f) {
    Square s{};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j)
            s[i][j] = f[i][0] * c.steps[0][j] + f[i][1] * c.steps[1][j];
    // g with g . first = 1 and g . second = 0 is across the second.
    double const area = s[0][0] * s[1][1] - s[1][0] * s[0][1];
    return {c.scale * s[1][1] / area, -c.scale * s[0][1] / area, -c.scale * s[1][0] / area,
            c.scale * s[0][0] / area};
}

/// One pattern to be.
struct Plan {
    Square f{{{1, 0}, {0, 1}}};
    std::array<double, 2> origin{128, 128};
    index outliers = 0;      ///< disks anywhere
    double missing = 0;      ///< part of the disks
    bool stopped = false;    ///< the central beam is hidden
    bool on_a_line = false;  ///< h = 0 only
    index most = 1000;       ///< disks
    double extra = 0;        ///< px: a model's error, added to all disks
};

struct Simulated {
    stem4d::BraggVectors vectors;
    std::vector<Six> truth;  ///< [pattern] origin, a, b
};

struct Sizes {
    double least_sigma = 0.01, most_sigma = 0.2;  ///< px
    double radius = 115;                          ///< of the patterns, px
};

class Simulator {
  public:
    explicit Simulator(std::uint64_t seed, Crystal crystal = {}, Sizes sizes = {})
        : random_(seed), crystal_(crystal), sizes_(sizes) {}

    Simulated operator()(std::array<index, 2> scan, std::function<Plan(index)> const& plan_of) {
        Simulated out;
        out.vectors.scan_shape = scan;
        out.vectors.detector_shape = {256, 256};
        out.vectors.first = {0};
        for (index p = 0; p < scan[0] * scan[1]; ++p) {
            Plan const plan = plan_of(p);
            auto const w = waves_of(crystal_, plan.f);
            out.truth.push_back({plan.origin[0], plan.origin[1], w[0], w[1], w[2], w[3]});
            std::vector<Disk> disks = disks_of(plan, w);
            std::stable_sort(disks.begin(), disks.end(),
                             [](Disk const& a, Disk const& b) { return a.height > b.height; });
            if (std::ssize(disks) > plan.most) disks.resize(static_cast<std::size_t>(plan.most));
            for (Disk const& d : disks) put(d, out.vectors);
            out.vectors.first.push_back(out.vectors.size());
            out.vectors.reason.push_back(disks.empty() ? stem4d::DiskReason::no_candidate
                                                       : stem4d::DiskReason::found);
        }
        return out;
    }
    double normal() { return std::normal_distribution<double>()(random_); }
    double uniform(double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random_);
    }

  private:
    struct Disk {
        double row, col, height, sigma;
        double var_row, var_col, cov;
    };

    // Errors of an ellipse that lies anyhow.
    Disk measured(double row, double col, double height, double sigma, double extra) {
        double const ratio = uniform(0.5, 1), angle = uniform(0, 3.14159), c = std::cos(angle),
                     s = std::sin(angle), u = sigma, v = sigma * ratio;
        double const x = u * normal(), y = v * normal();
        return {row + c * x - s * y + extra * normal(),
                col + s * x + c * y + extra * normal(),
                height,
                sigma,
                c * c * u * u + s * s * v * v,
                s * s * u * u + c * c * v * v,
                c * s * (u * u - v * v)};
    }
    std::vector<Disk> disks_of(Plan const& plan, std::array<double, 4> const& w) {
        std::vector<Disk> disks;
        for (int h = -12; h <= 12; ++h)
            for (int k = -12; k <= 12; ++k) {
                double const y = h * w[0] + k * w[2], x = h * w[1] + k * w[3];
                if (std::sqrt(y * y + x * x) > sizes_.radius) continue;
                if (plan.on_a_line && h != 0) continue;
                bool const central = h == 0 && k == 0;
                if (central && plan.stopped) continue;
                if (!central && uniform(0, 1) < plan.missing) continue;
                double const weak = central ? 0 : uniform(0.2, 1);
                double const sigma =
                    sizes_.least_sigma * std::pow(sizes_.most_sigma / sizes_.least_sigma, weak);
                disks.push_back(
                    measured(plan.origin[0] + y, plan.origin[1] + x, 1 / sigma, sigma, plan.extra));
            }
        for (index i = 0; i < plan.outliers; ++i)
            disks.push_back(measured(uniform(10, 246), uniform(10, 246), uniform(5, 60), 0.05, 0));
        return disks;
    }
    static void put(Disk const& d, stem4d::BraggVectors& v) {
        v.row.push_back(static_cast<float>(d.row)), v.col.push_back(static_cast<float>(d.col));
        v.intensity.push_back(static_cast<float>(d.height));
        v.background.push_back(0);
        v.var_row.push_back(static_cast<float>(d.var_row));
        v.var_col.push_back(static_cast<float>(d.var_col));
        v.cov_row_col.push_back(static_cast<float>(d.cov));
        v.intensity_error.push_back(1), v.score.push_back(100);
    }

    std::mt19937_64 random_;
    Crystal crystal_;
    Sizes sizes_;
};

/// Solves m x = y by elimination with the largest pivot; `m` is [n][n].
inline std::vector<double> solved(std::vector<std::vector<double>> m, std::vector<double> y) {
    std::size_t const n = y.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t best = c;
        for (std::size_t r = c; r < n; ++r)
            if (std::abs(m[r][c]) > std::abs(m[best][c])) best = r;
        std::swap(m[c], m[best]), std::swap(y[c], y[best]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == c) continue;
            double const f = m[r][c] / m[c][c];
            for (std::size_t k = 0; k < n; ++k) m[r][k] -= f * m[c][k];
            y[r] -= f * y[c];
        }
    }
    for (std::size_t c = 0; c < n; ++c) y[c] /= m[c][c];
    return y;
}

/// x^T m^-1 x.
inline double normalised(std::vector<std::vector<double>> const& m, std::vector<double> const& x) {
    std::vector<double> const y = solved(m, x);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

}  // namespace sluice::crystal::test

// Simulates patterns of disks and says how well disks can be found.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/test_scene.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace sluice::crystal {
namespace {

// The inverse of a symmetric 4 x 4 matrix by Gauss and Jordan.
std::array<std::array<double, 4>, 4> inverse(std::array<std::array<double, 4>, 4> a) {
    std::array<std::array<double, 4>, 4> b{};
    for (std::size_t i = 0; i < 4; ++i) b[i][i] = 1;
    for (std::size_t i = 0; i < 4; ++i) {
        double const pivot = a[i][i];
        for (std::size_t k = 0; k < 4; ++k) a[i][k] /= pivot, b[i][k] /= pivot;
        for (std::size_t j = 0; j < 4; ++j) {
            if (j == i) continue;
            double const f = a[j][i];
            for (std::size_t k = 0; k < 4; ++k) a[j][k] -= f * a[i][k], b[j][k] -= f * b[i][k];
        }
    }
    return b;
}

double far(double row, double col) {
    return std::hypot(row, col);
}

}  // namespace

Scene::Scene(SceneOptions const& options) : options_(options) {
    auto const& o = options_;
    auto const n = static_cast<double>(o.side);
    for (int h = -20; h <= 20; ++h)
        for (int k = -20; k <= 20; ++k) {
            double const row = o.pitch * (h * 1.012 - k * 0.124),
                         col = o.pitch * (h * 0.084 + k * 0.984);
            if (std::max(std::abs(row), std::abs(col)) <= n / 2 - o.radius - 7)
                lattice_.push_back({row, col});
        }
    std::ranges::stable_sort(
        lattice_, [](auto const& a, auto const& b) { return far(a[0], a[1]) < far(b[0], b[1]); });
    lattice_.resize(std::min(lattice_.size(), o.most));
    double const det = o.pitch * (1.012 * 0.984 + 0.124 * 0.084);
    for (auto const& [row, col] : lattice_)
        indices_.push_back({std::round((0.984 * row + 0.124 * col) / det),
                            std::round((1.012 * col - 0.084 * row) / det)});
    background_ = Array<double>::zeros({o.side, o.side});
    double sum = 0;
    for (index i = 0; i < o.side * o.side; ++i) {
        index const row = i / o.side, col = i % o.side;
        double const r =
            far(static_cast<double>(row) - (n - 1) / 2, static_cast<double>(col) - (n - 1) / 2) /
            (n * 0.12);
        sum += background_.values[static_cast<std::size_t>(i)] = 1 / (1 + r * r) + 0.05;
    }
    for (double& v : background_.values) v *= o.counts * o.background_part / sum;
}

double Scene::edge(double row, double col) const {
    return 1 / (1 + std::exp(std::clamp(4 * (far(row, col) - options_.radius) / options_.edge_width,
                                        -60.0, 60.0)));
}

template <class Work>
void Scene::each_near(TrueDisk const& d, double radius, Work const& work) const {
    index const last = options_.side - 1;
    auto const at = [&](double v) { return std::clamp<index>(std::lround(v), 0, last); };
    for (index r = at(d.row - radius - 1); r <= at(d.row + radius + 1); ++r)
        for (index c = at(d.col - radius - 1); c <= at(d.col + radius + 1); ++c) {
            double const row = static_cast<double>(r) - d.row, col = static_cast<double>(c) - d.col;
            if (far(row, col) <= radius)
                work(static_cast<std::size_t>(r * options_.side + c), row, col);
        }
}

Scene::Pattern Scene::pattern(unsigned n) const {
    auto const& o = options_;
    std::mt19937 random(1000 * o.seed + n);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    double strain[4], middle[2];
    for (double& s : strain) s = 0.005 * normal(random);
    for (double& m : middle) m = static_cast<double>(o.side - 1) / 2 + 3 * uniform(random) - 1.5;
    Pattern p{{}, Array<double>::zeros({o.side, o.side})};
    double const outmost = far(lattice_.back()[0], lattice_.back()[1]);
    std::mt19937 same(o.seed);
    for (auto const& [r, c] : lattice_) {
        double const fall = std::min(1.0, 0.55 * far(r, c) / outmost + 0.45 * uniform(same));
        double const height = std::pow(10, -o.decades * (p.disks.empty() ? 0 : fall)) *
                              std::exp(0.3 * normal(random));
        p.disks.push_back({middle[0] + r * (1 + strain[0]) + c * strain[1],
                           middle[1] + r * strain[2] + c * (1 + strain[3]), height});
    }
    double sum = 0;
    for (TrueDisk const& d : p.disks) {
        // Contrast 1 + m cos(f . r + phase), 0.2 to 1.5 periods a diameter along the way outward.
        double const m = o.fringes && &d != &p.disks[0] ? 0.3 + 0.5 * uniform(random) : 0;
        double const periods = 0.2 + 1.3 * uniform(random), phase = uniform(random);
        double const row_out = d.row - middle[0], col_out = d.col - middle[1],
                     out = std::max(far(row_out, col_out), 1e-9);
        auto const fringe = [&](double row, double col) {
            double const along = (row * row_out + col * col_out) / out;
            return 1 + m * std::cos(6.283185307 * (periods * along / (2 * o.radius) + phase));
        };
        each_near(d, o.radius + 16 * o.edge_width, [&](std::size_t i, double row, double col) {
            double const v = d.height * edge(row, col) * (m > 0 ? fringe(row, col) : 1);
            p.mean.values[i] += v;
            sum += v;
        });
    }
    double const scale = o.counts * (1 - o.background_part) / sum;
    for (TrueDisk& d : p.disks) d.height *= scale;
    for (std::size_t i = 0; i < p.mean.values.size(); ++i)
        p.mean.values[i] = p.mean.values[i] * scale + background_.values[i];
    return p;
}

Array<double> Scene::draw(Pattern const& pattern, unsigned seed) {
    std::mt19937 random(seed);
    Array<double> counts = pattern.mean;
    for (double& v : counts.values)
        v = v > 0 ? static_cast<double>(std::poisson_distribution<int>(v)(random)) : 0;
    return counts;
}

stem4d::DiskSetup Scene::setup() const {
    stem4d::DiskSetup setup;
    setup.probe.radius = options_.radius;
    setup.probe.edge_width = options_.edge_width;
    setup.background = background_;
    return setup;
}

Scene::Bound Scene::bound(Pattern const& pattern, TrueDisk const& d, double radius) const {
    std::array<std::array<double, 4>, 4> fisher{};
    each_near(d, radius, [&](std::size_t n, double row, double col) {
        constexpr double h = 1e-4;
        std::array const g{d.height * (edge(row - h, col) - edge(row + h, col)) / (2 * h),
                           d.height * (edge(row, col - h) - edge(row, col + h)) / (2 * h),
                           edge(row, col), background_.values[n]};
        for (std::size_t a = 0; a < 4; ++a)
            for (std::size_t b = 0; b < 4; ++b)
                fisher[a][b] += g[a] * g[b] / pattern.mean.values[n];
    });
    auto const v = inverse(fisher);
    return {v[0][0], v[1][1], v[0][1], d.height / std::sqrt(v[2][2])};
}

std::array<double, 36> Scene::joint_bound(Pattern const& pattern) const {
    // Slopes of the mean by the lattice (6), the background (1) and the heights.
    std::size_t const n = 7 + pattern.disks.size(), pixels = pattern.mean.values.size();
    std::vector<std::vector<double>> slopes(n, std::vector<double>(pixels));
    slopes[6] = background_.values;
    constexpr double h = 1e-4;
    for (std::size_t j = 0; j < pattern.disks.size(); ++j) {
        TrueDisk const& d = pattern.disks[j];
        double const by[3] = {1, indices_[j][0], indices_[j][1]};
        each_near(
            d, options_.radius + 8 * options_.edge_width,
            [&](std::size_t p, double row, double col) {
                double const y = d.height * (edge(row - h, col) - edge(row + h, col)) / (2 * h);
                double const x = d.height * (edge(row, col - h) - edge(row, col + h)) / (2 * h);
                for (std::size_t i = 0; i < 3; ++i)
                    slopes[2 * i][p] += by[i] * y, slopes[2 * i + 1][p] += by[i] * x;
                slopes[7 + j][p] = edge(row, col);
            });
    }
    std::vector<std::vector<double>> f(n, std::vector<double>(2 * n));
    for (std::size_t p = 0; p < pixels; ++p) {
        std::vector<std::size_t> some;
        for (std::size_t a = 0; a < n; ++a)
            if (slopes[a][p] != 0) some.push_back(a);
        for (std::size_t const a : some)
            for (std::size_t const b : some)
                f[a][b] += slopes[a][p] * slopes[b][p] / pattern.mean.values[p];
    }
    // Gauss and Jordan.
    for (std::size_t i = 0; i < n; ++i) f[i][n + i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
        double const pivot = f[i][i];
        for (double& v : f[i]) v /= pivot;
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i || f[j][i] == 0) continue;
            double const times = f[j][i];
            for (std::size_t k = 0; k < 2 * n; ++k) f[j][k] -= times * f[i][k];
        }
    }
    std::array<double, 36> bound{};
    for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < 6; ++b) bound[6 * a + b] = f[a][n + b];
    return bound;
}

void Judge::add(Scene const& scene, Scene::Pattern const& truth, stem4d::BraggVectors const& found,
                double radius) {
    for (std::size_t i = 0; i < found.row.size(); ++i) {
        auto const row = static_cast<double>(found.row[i]), col = static_cast<double>(found.col[i]);
        auto const& t = *std::ranges::min_element(
            truth.disks, {}, [&](TrueDisk const& d) { return far(row - d.row, col - d.col); });
        double const dr = row - t.row, dc = col - t.col;
        if (far(dr, dc) > 3) {
            ++extra_;
            continue;
        }
        auto const b = scene.bound(truth, t, radius);
        for (std::size_t k = 0; k < limits_.size(); ++k) {
            if (b.snr < limits_[k] || (k + 1 < limits_.size() && b.snr >= limits_[k + 1])) continue;
            sums_[k].count += 1;
            sums_[k].ratio += (dr * dr + dc * dc) / (b.var_row + b.var_col);
            sums_[k].chi2 += (dr * dr / static_cast<double>(found.var_row[i]) +
                              dc * dc / static_cast<double>(found.var_col[i])) /
                             2;
        }
    }
}

Score Judge::score(std::size_t i) const {
    Sums const& s = sums_[i];
    return {static_cast<index>(s.count), std::sqrt(s.ratio / s.count), s.chi2 / s.count};
}

}  // namespace sluice::crystal

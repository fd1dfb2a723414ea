// A beam's profile as two Gaussians.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "domain/proton/metrics/core.h"
#include "sluice/proton_metrics.h"

namespace sluice::proton {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double core_part = 0.2;  // of the highest dose: what the narrow one is fitted to
constexpr double first_radius = 2.5, radius_step = 0.5, least_outside = 1e-4;

// Of a Gaussian, farther from its middle than that.
double gauss_outside(double distance, double sigma) {
    return std::erfc(distance / (std::numbers::sqrt2 * sigma));
}

// Of a Gaussian, between two distances from its middle.
double gauss_ring(double from, double to, double sigma) {
    return gauss_outside(from, sigma) - gauss_outside(to, sigma);
}

double gauss_density(double distance, double sigma) {
    double const u = distance / sigma;
    return std::exp(-u * u / 2) / (sigma * std::sqrt(2 * std::numbers::pi));
}

// In columns, around the middle of what has most of the dose.
class Profile {
  public:
    explicit Profile(std::span<double const> line)
        : line_(line), all_(std::accumulate(line.begin(), line.end(), 0.0)) {
        double const top = *std::ranges::max_element(line);
        double sum = 0, weight = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] < core_part * top) continue;
            sum += line[i] * (static_cast<double>(i) + 0.5);
            weight += line[i];
        }
        centre_ = weight > 0 ? sum / weight : unknown;
    }
    double all() const { return all_; }
    double farthest() const {
        return std::min(centre_, static_cast<double>(line_.size()) - centre_);
    }
    // What lies nearer than that.
    double within(double distance) const {
        double sum = 0;
        for (std::size_t i = 0; i < line_.size(); ++i) {
            auto const low = static_cast<double>(i);
            double const from = std::max(low, centre_ - distance);
            double const to = std::min(low + 1, centre_ + distance);
            sum += line_[i] * std::max(0.0, to - from);
        }
        return sum;
    }
    // Less a wide Gaussian, of which there is a part beyond the phantom.
    double core(TwoGaussians const& g) const {
        std::vector<double> rest(line_.begin(), line_.end());
        double const edge = farthest(), weight = g.halo_weight;
        if (weight > 0) {
            double const whole = within(edge) / ((1 - weight) * gauss_ring(0, edge, g.sigma) +
                                                 weight * gauss_ring(0, edge, g.halo_sigma));
            for (std::size_t i = 0; i < rest.size(); ++i) {
                double const distance = static_cast<double>(i) + 0.5 - centre_;
                rest[i] -= weight * whole * gauss_density(distance, g.halo_sigma);
            }
        }
        return core_of(rest, core_part);
    }

  private:
    std::span<double const> line_;
    double all_, centre_ = unknown;
};

struct Distant {
    double distance, part;
};

// What lies between a distance and the edge, as a part of all that lies before the edge: what a
// phantom cuts off is in neither.
struct Points {
    double edge;
    std::vector<Distant> at;
};

Points points_of(Profile const& profile, double sigma) {
    Points out{profile.farthest(), {}};
    double const all = profile.within(out.edge);
    for (double r = first_radius * sigma; r < out.edge; r += radius_step * sigma) {
        double const part = 1 - profile.within(r) / all;
        if (part < least_outside) break;
        out.at.push_back({r, part});
    }
    return out;
}

// The sum of squares of what the logarithms are off, and the slopes of these by those of the wide
// one's sigma and weight.
struct Misfit {
    double squares = 0, a[2][2] = {}, b[2] = {};
};

Misfit misfit(Points const& points, double narrow, double sigma, double weight) {
    Misfit m;
    double const edge = points.edge;
    double const own_all = gauss_ring(0, edge, narrow), wide_all = gauss_ring(0, edge, sigma);
    double const all = (1 - weight) * own_all + weight * wide_all;
    double const at_edge = 2 * weight * edge * gauss_density(edge, sigma);
    for (Distant const& p : points.at) {
        double const own = gauss_ring(p.distance, edge, narrow),
                     wide = gauss_ring(p.distance, edge, sigma);
        double const model = (1 - weight) * own + weight * wide;
        double const off = std::log(model / all / p.part);
        double const here = 2 * weight * p.distance * gauss_density(p.distance, sigma);
        double const slope[] = {(here - at_edge) / model + at_edge / all,
                                weight * ((wide - own) / model - (wide_all - own_all) / all)};
        m.squares += off * off;
        for (int i = 0; i < 2; ++i) {
            m.b[i] -= slope[i] * off;
            for (int k = 0; k < 2; ++k) m.a[i][k] += slope[i] * slope[k];
        }
    }
    return m;
}

// Levenberg's and Marquardt's steps; two numbers whose logarithms are changed.
void fit_halo(Points const& points, TwoGaussians& g) {
    double damping = 1e-3;
    Misfit now = misfit(points, g.sigma, g.halo_sigma, g.halo_weight);
    for (int i = 0; i < 100 && damping < 1e6; ++i) {
        double const a = now.a[0][0] * (1 + damping), d = now.a[1][1] * (1 + damping);
        double const c = now.a[0][1], det = a * d - c * c;
        if (!(det > 0)) return;
        double const by[] = {(d * now.b[0] - c * now.b[1]) / det,
                             (a * now.b[1] - c * now.b[0]) / det};
        double const sigma = g.halo_sigma * std::exp(std::clamp(by[0], -0.5, 0.5));
        double const weight = std::min(0.9, g.halo_weight * std::exp(std::clamp(by[1], -0.5, 0.5)));
        Misfit const then = misfit(points, g.sigma, sigma, weight);
        if (!(then.squares < now.squares)) {
            damping *= 10;
            continue;
        }
        bool const enough = now.squares - then.squares < 1e-10 * now.squares;
        g.halo_sigma = sigma;
        g.halo_weight = weight;
        now = then;
        damping /= 10;
        if (enough) return;
    }
}

TwoGaussians of_line(std::span<double const> line) {
    Profile const profile(line);
    TwoGaussians g{unknown, unknown, 0};
    if (!(profile.all() > 0)) return g;
    g.sigma = profile.core(g);
    if (!(g.sigma > 0)) return g;
    Points const points = points_of(profile, g.sigma);
    if (points.at.size() < 3 ||
        points.at[0].part - gauss_outside(points.at[0].distance, g.sigma) < least_outside)
        return g;
    TwoGaussians const alone = g;
    g.halo_sigma = 3 * g.sigma;
    g.halo_weight = std::min(0.5, 2 * points.at[0].part);
    for (int i = 0; i < 20; ++i) {
        fit_halo(points, g);
        double const core = profile.core(g), before = g.sigma;
        if (core > 0) g.sigma = core;
        if (std::abs(g.sigma - before) < 1e-5 * before) break;
    }
    // So near to the narrow one it is a part of the beam; wider than what is seen of it, it is a
    // slope that a fit made of little.
    if (g.halo_sigma > 2 * g.sigma && g.halo_sigma < profile.farthest()) return g;
    return alone;
}

}  // namespace

std::vector<TwoGaussians> two_gaussians(MarchResult const& r) {
    std::vector<TwoGaussians> out;
    for (index k = 0; k < r.planes; ++k) {
        std::span const line(r.deposit.data() + k * r.columns, static_cast<std::size_t>(r.columns));
        TwoGaussians g = of_line(line);
        g.sigma *= r.dx;
        g.halo_sigma *= r.dx;
        out.push_back(g);
    }
    return out;
}

}  // namespace sluice::proton

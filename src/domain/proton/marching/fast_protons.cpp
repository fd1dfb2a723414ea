// Fast protons of nuclear reactions on their ways.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/fast_protons.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sluice::proton::marching {
namespace {

// What reactions leave at a place comes from angles (in the plane) that are wide near the reaction
// and narrow far behind it: those of the last line give way to those of the second, and these to
// the first. Lengths of it are paths as parts of what is left of the range. All are those of ICRU
// 63's energies and angles of protons and deuterons of p + 16O, followed straight to their ends,
// the mean of 130 to 230 MeV (bench/proton/icru63.py).
constexpr std::array gives_way{0.426, 0.081};
// Of ICRU 63's angles. Fitted to TOPAS' doses 20 to 40 mm beside the axis: with all of them the
// ring of 150 MeV is up to 15 % too strong.
constexpr double scale_of_angles = 0.88;
// Between nodes, to both sides; so close that 150 mm behind a reaction their rows are nearer than
// its protons spread.
constexpr double rays_apart = 0.12 * scale_of_angles, steepest_ray = 1.3;
using NodeParts = std::array<double, 12>;
constexpr std::array<NodeParts, 3> of_angles{
    NodeParts{0.176, 0.321, 0.252, 0.158, 0.072, 0.021, 0, 0, 0, 0, 0, 0},
    NodeParts{0.063, 0.131, 0.148, 0.162, 0.169, 0.149, 0.107, 0.049, 0.019, 0.003, 0, 0},
    NodeParts{0.077, 0.143, 0.126, 0.107, 0.076, 0.068, 0.072, 0.084, 0.085, 0.074, 0.050, 0.038}};

}  // namespace

FastProtons::FastProtons(Phantom const& phantom, double angle, double length)
    : phantom_(phantom),
      length_{length, 1 / (1 / length + 1 / gives_way[0]), 1 / (1 / length + 1 / gives_way[1])},
      left_(static_cast<std::size_t>(phantom.columns)) {
    of_flying_.fill(left_);
    of_made_.fill(left_);
    std::array<double, terms> sum{};
    for (std::size_t m = 0; m < terms; ++m)
        sum[m] = std::accumulate(of_angles[m].begin(), of_angles[m].end(), 0.0);
    constexpr auto sides = static_cast<int>(NodeParts{}.size()) - 1;
    for (int k = -sides; k <= sides; ++k) {
        Ray& ray = rays_.emplace_back();
        ray.slope = std::tan(std::clamp(angle + rays_apart * k, -steepest_ray, steepest_ray));
        double before = 0;
        for (std::size_t m = 0; m < terms; ++m) {
            double const both = of_angles[m][static_cast<std::size_t>(std::abs(k))] / sum[m];
            double const here = k == 0 ? both : both / 2;
            // Terms begin with the same loss by length, so that short ones have less energy.
            ray.part[m] = (here - before) * length_[m] / length;
            before = here;
        }
        ray.flying.fill(left_);
    }
}

// By whole columns, when it is time for one: parts of columns would spread them step by step.
void FastProtons::drift(index plane, Ledger& ledger) {
    std::vector<double> next(left_.size());
    for (Ray& ray : rays_) {
        double const way = static_cast<double>(plane) * phantom_.dz * ray.slope;
        auto const wanted = static_cast<index>(std::lround(way / phantom_.dx));
        index const by = wanted - ray.gone;
        if (by == 0) continue;
        ray.gone = wanted;
        index const n = phantom_.columns, gone = std::min(n, std::abs(by));
        for (auto& flying : ray.flying) {
            std::ranges::fill(next, 0);
            if (by > 0) {
                ledger.right.energy += std::accumulate(flying.end() - gone, flying.end(), 0.0);
                std::copy(flying.begin(), flying.end() - gone, next.begin() + gone);
            } else {
                ledger.left.energy += std::accumulate(flying.begin(), flying.begin() + gone, 0.0);
                std::copy(flying.begin() + gone, flying.end(), next.begin());
            }
            flying.swap(next);
        }
    }
}

// Those made on the way through a plane have half of it before them.
void FastProtons::give(std::vector<double> const& path) {
    for (std::size_t m = 0; m < terms; ++m)
        for (std::size_t x = 0; x < path.size(); ++x) {
            if (x > 0 && path[x] == path[x - 1]) {
                of_flying_[m][x] = of_flying_[m][x - 1];
                of_made_[m][x] = of_made_[m][x - 1];
                continue;
            }
            of_flying_[m][x] = 1 - std::exp(-path[x] / length_[m]);
            of_made_[m][x] = 1 - std::exp(-path[x] / length_[m] / 2);
        }
}

void FastProtons::leave(std::vector<double> const& energy, std::vector<double> const& path) {
    give(path);
    std::ranges::fill(left_, 0);
    for (Ray& ray : rays_)
        for (std::size_t m = 0; m < terms; ++m) {
            double const part = ray.part[m];
            double* const flying = ray.flying[m].data();
            double const *const of_flying = of_flying_[m].data(), *const of_made =
                                                                      of_made_[m].data();
            for (std::size_t x = 0; x < left_.size(); ++x) {
                double const made = part * energy[x];
                double const here = flying[x] * of_flying[x] + made * of_made[x];
                flying[x] += made - here;
                left_[x] += here;
            }
        }
}

double FastProtons::waiting() const {
    double sum = 0;
    for (Ray const& ray : rays_)
        for (auto const& flying : ray.flying)
            sum = std::accumulate(flying.begin(), flying.end(), sum);
    return sum;
}

}  // namespace sluice::proton::marching

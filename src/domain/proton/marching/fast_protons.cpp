// Fast protons of nuclear reactions on their ways.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/marching/fast_protons.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sluice::proton::marching {
namespace {

// What a reaction leaves at a place comes from angles (in the plane) that are normal there, wide
// near the reaction and narrow far behind it: a mixture of three, whose first gives way to the
// second and this to the third. Lengths are in paths as parts of what is left of the range,
// standard deviations in radians. The five numbers are those of ICRU 63's energies and angles of
// protons and deuterons of p + 16O, followed straight to their ends (bench/proton/icru63.py), the
// mean of 130 to 230 MeV; no dose was asked.
constexpr std::array angles{0.281, 0.431, 0.700};
constexpr std::array gives_way{0.589, 0.100};
// So close that 150 mm behind a reaction their rows are nearer than its protons spread.
constexpr double apart = 0.12, steepest = 1.3;
constexpr int to_a_side = 11;

std::vector<double> normal(double sigma) {
    std::vector<double> parts;
    for (int k = -to_a_side; k <= to_a_side; ++k)
        parts.push_back(std::exp(-std::pow(apart * k / sigma, 2) / 2));
    double const sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    for (double& p : parts) p /= sum;
    return parts;
}

}  // namespace

FastProtons::FastProtons(Phantom const& phantom, double angle, double part, double length)
    : phantom_(phantom),
      length_{length, 1 / (1 / length + 1 / gives_way[0]), 1 / (1 / length + 1 / gives_way[1])},
      left_(static_cast<std::size_t>(phantom.columns)) {
    of_flying_.fill(left_);
    of_made_.fill(left_);
    auto const narrow = normal(angles[0]), wider = normal(angles[1]), widest = normal(angles[2]);
    for (int k = -to_a_side; k <= to_a_side; ++k) {
        auto const i = static_cast<std::size_t>(k + to_a_side);
        Ray& ray = rays_.emplace_back();
        ray.slope = std::tan(std::clamp(angle + apart * k, -steepest, steepest));
        std::array const changes{narrow[i], wider[i] - narrow[i], widest[i] - wider[i]};
        // Terms begin with the same loss by length, so that short ones have less energy.
        for (std::size_t m = 0; m < terms; ++m)
            ray.part[m] = part * changes[m] * length_[m] / length;
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
            double const *const of_flying = of_flying_[m].data(), *const of_made = of_made_[m].data();
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

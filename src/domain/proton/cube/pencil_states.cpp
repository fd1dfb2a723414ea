// Spots as protons of pixels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/pencil_states.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::proton::cube {
namespace {

constexpr double spot_reach = 4.5;  // standard deviations

/// A Gaussian on a line of pixels, which together are 1.
struct Line {
    index first = 0;
    std::vector<double> part;

    Line(double middle, double sigma, index pixels) {
        first = std::max<index>(0, static_cast<index>(std::ceil(middle - spot_reach * sigma)));
        auto const last =
            std::min(pixels - 1, static_cast<index>(std::floor(middle + spot_reach * sigma)));
        double sum = 0;
        for (index i = first; i <= last; ++i) {
            double const d = (static_cast<double>(i) - middle) / sigma;
            part.push_back(std::exp(-d * d / 2));
            sum += part.back();
        }
        for (double& p : part) p /= sum;
    }
};

double least_variance(Sheet const& sheet, Fan const& fan, int axis) {
    double least = 1e30;
    for (index k = 0; k <= fan.planes; ++k) {
        double const m = fan.frame.spread(axis, fan.z(static_cast<double>(k)));
        double const way = static_cast<double>(k) * fan.step;
        least = std::min(least, sheet.moments[static_cast<std::size_t>(axis)].at(way) / (m * m));
    }
    return least;
}

}  // namespace

double pixel_for(std::vector<Sheet> const& sheets, Fan const& fan, double wanted) {
    double least = 1e30;
    for (Sheet const& s : sheets)
        for (int axis = 0; axis < 2; ++axis) least = std::min(least, least_variance(s, fan, axis));
    // The Gaussian of a spot has to lie on pixels as one: 0.9 of them, and a pencil's own.
    return std::min(wanted, std::sqrt(std::max(least, 0.01)));
}

Fan fan_around(std::vector<Sheet> const& sheets, Fan fan) {
    double low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
    for (Sheet const& s : sheets) {
        double const room[2] = {spot_reach * std::sqrt(least_variance(s, fan, 0)) + fan.pixel,
                                spot_reach * std::sqrt(least_variance(s, fan, 1)) + fan.pixel};
        for (PlanSpot const& spot : s.spots) {
            double const at[2] = {spot.x, spot.y};
            for (int a = 0; a < 2; ++a) {
                low[a] = std::min(low[a], at[a] - room[a]);
                high[a] = std::max(high[a], at[a] + room[a]);
            }
        }
    }
    // Whole pixels of the coarse grid, in the same places for all beams.
    double const block = fan.pixel * coarse_side;
    auto const side = [&](int a, double& first) {
        double const from = std::floor(low[a] / block);
        first = (from * coarse_side + 0.5) * fan.pixel;
        return (static_cast<index>(std::ceil(high[a] / block) - from)) * coarse_side;
    };
    fan.columns = side(0, fan.u0);
    fan.rows = side(1, fan.v0);
    return fan;
}

double part_of_line(double a) {
    return std::sqrt(a / std::numbers::pi) /
           (1 + 2 * std::exp(-std::numbers::pi * std::numbers::pi / a));
}

PencilState begin_pencils(Sheet const& sheet, Fan const& fan) {
    PencilState s{.sheet = &sheet};
    auto const n = static_cast<std::size_t>(fan.rows * fan.columns);
    s.protons.resize(n);
    for (auto* v : {&s.angle, &s.both, &s.place}) v->resize(n);
    s.deposited.resize(static_cast<std::size_t>(fan.rows / coarse_side));
    s.looked.resize(s.deposited.size());
    for (auto& v : s.beside) v.resize(n);
    double sigma[2];
    for (int a = 0; a < 2; ++a) {
        s.least[static_cast<std::size_t>(a)] = least_variance(sheet, fan, a);
        double const pixels = s.least[static_cast<std::size_t>(a)] / (fan.pixel * fan.pixel);
        sigma[a] = std::sqrt(std::max(pixels - own_sigma * own_sigma, 0.25));
    }
    std::vector<double> sum(n);
    for (PlanSpot const& spot : sheet.spots) {
        Line const x((spot.x - fan.u0) / fan.pixel, sigma[0], fan.columns);
        Line const y((spot.y - fan.v0) / fan.pixel, sigma[1], fan.rows);
        for (std::size_t j = 0; j < y.part.size(); ++j)
            for (std::size_t i = 0; i < x.part.size(); ++i)
                sum[static_cast<std::size_t>((y.first + static_cast<index>(j)) * fan.columns +
                                             x.first) +
                    i] += spot.meterset * y.part[j] * x.part[i];
    }
    // What far tails have is little, and takes as long as all else; the rest stands in for it.
    double const least = 2e-5 * *std::ranges::max_element(sum);
    double all = 0, kept = 0;
    for (double& v : sum) {
        all += v;
        if (v < least) v = 0;
        kept += v;
    }
    for (double& v : sum) v *= all / kept;
    std::ranges::transform(sum, s.protons.begin(), [](double v) { return static_cast<float>(v); });
    return s;
}

}  // namespace sluice::proton::cube

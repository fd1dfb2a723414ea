// find_rings: maxima of the density of disks over their distance from the origin.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domain/crystal/calibrate/radii.h"

namespace sluice::crystal {
namespace {

// A ring is blurred by the disks' errors and by distortion, which grows with the radius.
double blur_of(double r) {
    return std::hypot(0.7, 0.006 * r);
}
// What lies about a ring is looked at this far.
double around(double r) {
    return std::max(6.0, 0.12 * r);
}

// Gauss's means with a width that depends on the place.
template <class Width>
std::vector<double> smoothed(std::vector<double> const& v, Width const& width) {
    std::vector<double> out(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        double const s = width(static_cast<double>(i) * radius_bin) / radius_bin;
        auto const reach = static_cast<index>(3 * s) + 1, at = static_cast<index>(i);
        double sum = 0, weights = 0;
        for (index j = std::max<index>(0, at - reach); j <= std::min(std::ssize(v) - 1, at + reach);
             ++j) {
            double const x = static_cast<double>(j - at) / s, w = std::exp(-x * x / 2);
            sum += w * v[static_cast<std::size_t>(j)], weights += w;
        }
        out[i] = sum / weights;
    }
    return out;
}

}  // namespace

std::vector<Polar> polar_of(stem4d::BraggVectors const& v, stem4d::OriginFit const& origins) {
    std::vector<Polar> all;
    for (index p = 0; p < v.patterns(); ++p) {
        if (v.count(p) == 0) continue;
        stem4d::Point const o = origins.at(p / v.scan_shape[1], p % v.scan_shape[1]);
        auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        for (std::size_t j = first; j < first + static_cast<std::size_t>(v.count(p)); ++j) {
            double const row = static_cast<double>(v.row[j]) - o.row,
                         col = static_cast<double>(v.col[j]) - o.col, r2 = row * row + col * col;
            if (std::isfinite(r2) && r2 > 0)
                all.push_back({std::sqrt(r2), (row * row - col * col) / r2, 2 * row * col / r2});
        }
    }
    return all;
}

double corrected(Polar const& p, stem4d::Distortion const& d) {
    return p.radius * std::exp(d.along * p.cos2 + d.across * p.sin2);
}

std::vector<double> histogram_of(std::vector<Polar> const& disks, stem4d::Distortion const& d) {
    double most = 0;
    for (Polar const& p : disks) most = std::max(most, corrected(p, d));
    // Means at the last ring need what follows it.
    double const end = 1.4 * std::min(most, 1e5) + 30;
    std::vector<double> bins(static_cast<std::size_t>(end / radius_bin));
    for (Polar const& p : disks)
        if (auto const i = static_cast<std::size_t>(corrected(p, d) / radius_bin); i < bins.size())
            ++bins[i];
    return bins;
}

namespace {

// Of logarithms of radii, so that all rings are as wide as each other.
double sharpness_of(std::vector<Polar> const& disks, stem4d::Distortion const& d) {
    constexpr double bin = 0.004;
    std::vector<double> bins(static_cast<std::size_t>(12 / bin));
    for (Polar const& p : disks) {
        double const x = std::log(corrected(p, d)) / bin;
        if (!(x >= 1 && x < static_cast<double>(bins.size() - 2))) continue;
        auto const i = static_cast<std::size_t>(x);
        double const part = x - std::floor(x);
        bins[i] += 1 - part, bins[i + 1] += part;
    }
    double sum = 0;
    for (double n : bins) sum += n * n;
    return sum;
}

// What rings are not, the direct disks, takes no part.
stem4d::Distortion sharpest(std::vector<Polar> const& all, double least) {
    constexpr index most_disks = 20000;
    constexpr double first_step = 0.004, last_step = 0.0005;
    constexpr int reach = 8;
    // A gain that chance makes, where the disks do not tell.
    constexpr double least_gain = 1.05;
    std::vector<Polar> disks;
    std::size_t const step = all.size() / most_disks + 1;
    for (std::size_t i = 0; i < all.size(); i += step)
        if (all[i].radius >= least) disks.push_back(all[i]);
    stem4d::Distortion best;
    double const plain = sharpness_of(disks, best);
    double most = plain;
    auto const search = [&](double size, int steps) {
        stem4d::Distortion const middle = best;
        for (int i = -steps; i <= steps; ++i)
            for (int j = -steps; j <= steps; ++j) {
                stem4d::Distortion const d{.along = middle.along + i * size,
                                           .across = middle.across + j * size};
                if (double const s = sharpness_of(disks, d); s > most) most = s, best = d;
            }
    };
    search(first_step, reach);
    for (double size = first_step / 2; size >= last_step; size /= 2) search(size, 1);
    return most > least_gain * plain ? best : stem4d::Distortion{};
}

}  // namespace
}  // namespace sluice::crystal

namespace sluice::stem4d {

FoundRings find_rings(BraggVectors const& vectors, OriginFit const& origins) {
    using namespace crystal;
    std::vector<Polar> const disks = polar_of(vectors, origins);
    // The direct disks are no ring.
    double const side =
        static_cast<double>(std::min(vectors.detector_shape[0], vectors.detector_shape[1]));
    double const least =
        std::max({5.0, 0.03 * side, 5 * std::hypot(origins.sigma_row, origins.sigma_col)});
    FoundRings out{.rings = {}, .rough = sharpest(disks, least)};
    std::vector<double> const bins = histogram_of(disks, out.rough);
    std::vector<double> const fine = smoothed(bins, blur_of), wide = smoothed(bins, around);
    for (std::size_t i = 1; i + 1 < fine.size(); ++i) {
        double const r = static_cast<double>(i) * radius_bin;
        if (r < least || fine[i] < fine[i - 1] || fine[i] <= fine[i + 1]) continue;
        // So many disks in the width of the ring, where so many would be by chance.
        double const width = 2 * blur_of(r) / radius_bin, here = fine[i] * width,
                     chance = wide[i] * width;
        if (!(here > 1.5 * chance) || !(here - chance > 5 * std::sqrt(chance + 1))) continue;
        std::size_t low = i, high = i;
        while (low > 0 && fine[low - 1] <= fine[low] && fine[low] > wide[low] / 2) --low;
        while (high + 1 < fine.size() && fine[high + 1] <= fine[high] &&
               fine[high] > wide[high] / 2)
            ++high;
        // Distortion moves disks of a ring by some per cent.
        double const reach = std::max(4 * blur_of(r), 0.04 * r);
        out.rings.push_back({std::max(static_cast<double>(low) * radius_bin, r - reach),
                             std::min(static_cast<double>(high + 1) * radius_bin, r + reach)});
    }
    return out;
}

}  // namespace sluice::stem4d

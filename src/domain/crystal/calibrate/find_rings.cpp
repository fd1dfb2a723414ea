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

std::vector<double> radii_of(stem4d::BraggVectors const& v, stem4d::OriginFit const& origins) {
    std::vector<double> all;
    for (index p = 0; p < v.patterns(); ++p) {
        if (v.count(p) == 0) continue;
        stem4d::Point const o = origins.at(p / v.scan_shape[1], p % v.scan_shape[1]);
        auto const first = static_cast<std::size_t>(v.first[static_cast<std::size_t>(p)]);
        for (std::size_t j = first; j < first + static_cast<std::size_t>(v.count(p)); ++j) {
            double const r = std::hypot(static_cast<double>(v.row[j]) - o.row,
                                        static_cast<double>(v.col[j]) - o.col);
            if (std::isfinite(r)) all.push_back(r);
        }
    }
    return all;
}

std::vector<double> histogram_of(std::vector<double> const& radii) {
    double const most = radii.empty() ? 0 : *std::ranges::max_element(radii);
    std::vector<double> bins(static_cast<std::size_t>(std::min(most, 1e5) / radius_bin) + 2);
    for (double r : radii)
        if (auto const i = static_cast<std::size_t>(r / radius_bin); i < bins.size()) ++bins[i];
    return bins;
}

}  // namespace sluice::crystal

namespace sluice::stem4d {

std::vector<Ring> find_rings(BraggVectors const& vectors, OriginFit const& origins) {
    using namespace crystal;
    std::vector<double> const bins = histogram_of(radii_of(vectors, origins));
    std::vector<double> const fine = smoothed(bins, blur_of), wide = smoothed(bins, around);
    // The direct disks are no ring.
    double const side =
        static_cast<double>(std::min(vectors.detector_shape[0], vectors.detector_shape[1]));
    double const least =
        std::max({5.0, 0.03 * side, 5 * std::hypot(origins.sigma_row, origins.sigma_col)});
    std::vector<Ring> rings;
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
        rings.push_back({std::max(static_cast<double>(low) * radius_bin, r - reach),
                         std::min(static_cast<double>(high + 1) * radius_bin, r + reach)});
    }
    return rings;
}

}  // namespace sluice::stem4d

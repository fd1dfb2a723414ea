// Disks of distorted, shifted patterns for tests: crystals and powders whose truth is known.
// Nothing here is shared with what is tested. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "sluice/crystal_calibration.h"

namespace sluice::crystal::test {

/// A ring as an ellipse: its long and short axis over its radius, and the angle of the long axis
/// from the row axis to the column axis.
struct TrueEllipse {
    double longer = 1, shorter = 1, degrees = 0;

    /// Where the detector shows a place about the origin.
    std::array<double, 2> shown(double row, double col) const {
        double const t = degrees * 3.14159265358979323846 / 180, c = std::cos(t), s = std::sin(t);
        double const u = longer * (c * row + s * col), v = shorter * (-s * row + c * col);
        return {c * u - s * v, s * u + c * v};
    }
};

struct PatternPlan {
    std::array<index, 2> scan{8, 8}, detector{256, 256};
    /// Of the direct beam, by scan row and column.
    std::function<std::array<double, 2>(double, double)> origin = [](double, double) {
        return std::array{127.0, 128.0};
    };
    TrueEllipse ellipse = {};
    double sigma = 0.05;  ///< px, of every disk in both directions; it is told, too
    double direct = 10;   ///< intensity of the direct beam; 0: it is hidden
};

struct OneDisk {
    double row, col, intensity;
};

/// Collects patterns.
class Vectors {
  public:
    Vectors(PatternPlan const& plan, unsigned seed) : plan_(plan), random_(seed) {
        v.scan_shape = plan.scan, v.detector_shape = plan.detector;
        v.first = {0};
    }
    /// Places about the origin on an undistorted detector; what falls off the detector is lost.
    void add(std::vector<OneDisk> disks) {
        auto const p = static_cast<index>(v.reason.size());
        auto const row = static_cast<double>(p / plan_.scan[1]),
                   col = static_cast<double>(p % plan_.scan[1]);
        auto const o = plan_.origin(row, col);
        if (plan_.direct > 0) disks.push_back({0, 0, plan_.direct});
        std::stable_sort(disks.begin(), disks.end(), [](OneDisk const& a, OneDisk const& b) {
            return a.intensity > b.intensity;
        });
        for (OneDisk const& d : disks) {
            auto const at = plan_.ellipse.shown(d.row, d.col);
            double const y = o[0] + at[0] + plan_.sigma * normal(),
                         x = o[1] + at[1] + plan_.sigma * normal();
            if (y < 0 || x < 0 || y > static_cast<double>(plan_.detector[0] - 1) ||
                x > static_cast<double>(plan_.detector[1] - 1))
                continue;
            put(y, x, d.intensity);
        }
        v.first.push_back(v.size());
        v.reason.push_back(v.count(p) == 0 ? stem4d::DiskReason::no_candidate
                                           : stem4d::DiskReason::found);
    }
    double normal() { return std::normal_distribution<double>()(random_); }
    double uniform(double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random_);
    }

    stem4d::BraggVectors v;

  private:
    void put(double y, double x, double intensity) {
        auto const var = static_cast<float>(plan_.sigma * plan_.sigma);
        v.row.push_back(static_cast<float>(y)), v.col.push_back(static_cast<float>(x));
        v.intensity.push_back(static_cast<float>(intensity));
        v.background.push_back(0);
        v.var_row.push_back(var), v.var_col.push_back(var), v.cov_row_col.push_back(0);
        v.intensity_error.push_back(0.1F), v.score.push_back(100);
    }
    PatternPlan plan_;
    std::mt19937_64 random_;
};

/// One crystal with the vectors (a row, a col) and (b row, b col), px; intensities fall off and
/// vary.
inline std::vector<OneDisk> lattice_disks(std::array<double, 4> const& g, double radius,
                                          Vectors& draw) {
    std::vector<OneDisk> disks;
    for (int h = -30; h <= 30; ++h)
        for (int k = -30; k <= 30; ++k) {
            double const y = h * g[0] + k * g[2], x = h * g[1] + k * g[3], r = std::hypot(y, x);
            if ((h == 0 && k == 0) || r > radius) continue;
            disks.push_back({y, x, std::exp(-r * r / (radius * radius)) * draw.uniform(0.7, 1.3)});
        }
    return disks;
}

/// `n` disks anywhere on rings of these radii, px.
inline std::vector<OneDisk> ring_disks(std::vector<double> const& radii, int n, Vectors& draw) {
    std::vector<OneDisk> disks;
    for (int i = 0; i < n; ++i) {
        double const r = radii[static_cast<std::size_t>(
                         draw.uniform(0, static_cast<double>(radii.size()) - 1e-9))],
                     t = draw.uniform(0, 6.283185307179586);
        disks.push_back({r * std::cos(t), r * std::sin(t), draw.uniform(0.2, 1)});
    }
    return disks;
}

}  // namespace sluice::crystal::test

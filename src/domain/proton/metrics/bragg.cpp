// Range, fall-off and width of a Bragg curve; the spread of its planes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/proton/spline.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Peak {
    index knot;
    double depth, dose;
};

Peak peak_of(Spline const& s) {
    index best = 0;
    for (index i = 1; i <= s.pieces(); ++i)
        if (s.value(i) > s.value(best)) best = i;
    // On either side of the highest point.
    Peak p{best, s.knot(best), s.value(best)};
    for (index const piece : {best - 1, best}) {
        if (piece < 0 || piece >= s.pieces()) continue;
        double const at = s.highest(s.knot(piece), s.knot(piece + 1));
        if (s(at) > p.dose) p = {best, at, s(at)};
    }
    return p;
}

// Before the peak.
double proximal(Spline const& s, Peak const& peak, double part) {
    double const value = part * peak.dose;
    for (index i = peak.knot; i > 0; --i)
        if (s.value(i - 1) < value)
            return s.solve(value, s.knot(i - 1), i == peak.knot ? peak.depth : s.knot(i));
    return nan;
}

// From the far side: the dose of a plateau, or behind an interface, may dip and rise again.
double distal(Spline const& s, Peak const& peak, double part) {
    double const value = part * peak.dose;
    index last = s.pieces();
    while (last > peak.knot && s.value(last) < value) --last;
    if (last == s.pieces()) return nan;
    return s.solve(value, last == peak.knot ? peak.depth : s.knot(last), s.knot(last + 1));
}

}  // namespace

Result<BraggMetrics> bragg_metrics(DepthCurve const& curve) {
    std::size_t const n = curve.depth.size();
    if (curve.dose.size() != n)
        return Error{Code::invalid_argument,
                     fmt::format("a curve of {} depths and {} doses (each depth has one); give as "
                                 "many",
                                 n, curve.dose.size())};
    bool good = n >= 5;
    for (std::size_t i = 0; good && i < n; ++i)
        good = std::isfinite(curve.depth[i]) && std::isfinite(curve.dose[i]) &&
               (i == 0 || curve.depth[i] > curve.depth[i - 1]);
    if (!good || *std::max_element(curve.dose.begin(), curve.dose.end()) <= 0)
        return Error{Code::invalid_argument,
                     fmt::format("a depth dose of {} points has no peak; give at least 5 with "
                                 "ascending depths",
                                 n)};
    Spline const s(curve.depth, curve.dose);
    Peak const peak = peak_of(s);
    BraggMetrics m;
    m.peak = peak.dose;
    m.peak_depth = peak.depth;
    m.r90 = distal(s, peak, 0.9);
    m.r80 = distal(s, peak, 0.8);
    m.r50 = distal(s, peak, 0.5);
    m.r20 = distal(s, peak, 0.2);
    m.proximal_80 = proximal(s, peak, 0.8);
    m.fall_off = m.r20 - m.r80;
    m.width = m.r50 - proximal(s, peak, 0.5);
    double const entrance = 5;
    bool const has = curve.depth.front() <= entrance && curve.depth.back() >= entrance;
    m.peak_to_entrance = has ? peak.dose / s(entrance) : nan;
    m.integral = s.integral();
    return m;
}

DepthCurve depth_dose(MarchResult const& result) {
    DepthCurve c;
    for (index k = 0; k < result.planes; ++k) {
        double sum = 0;
        for (index x = 0; x < result.columns; ++x) {
            auto const i = static_cast<std::size_t>(k * result.columns + x);
            double const density =
                result.density.empty() ? 1 : static_cast<double>(result.density[i]);
            if (density > 0) sum += result.deposit[i] / density;
        }
        c.depth.push_back((static_cast<double>(k) + 0.5) * result.dz);
        c.dose.push_back(sum / result.dz);
    }
    return c;
}

std::vector<double> lateral_sigma(MarchResult const& result) {
    std::vector<double> out;
    for (index k = 0; k < result.planes; ++k) {
        double w = 0, first = 0, second = 0;
        for (index i = 0; i < result.columns; ++i) {
            double const d = result.deposit[static_cast<std::size_t>(k * result.columns + i)];
            double const x = (static_cast<double>(i) + 0.5) * result.dx;
            w += d;
            first += d * x;
            second += d * x * x;
        }
        double const variance = second / w - first / w * (first / w) - result.dx * result.dx / 12;
        out.push_back(w > 0 ? std::sqrt(std::max(variance, 0.0)) : nan);
    }
    return out;
}

}  // namespace sluice::proton

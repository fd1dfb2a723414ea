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

// From the peak on; `forward` or back.
double crossing(Spline const& s, Peak const& peak, double part, bool forward) {
    double const value = part * peak.dose;
    for (index i = peak.knot; forward ? i < s.pieces() : i > 0; i += forward ? 1 : -1) {
        index const next = forward ? i + 1 : i - 1;
        if (s.value(next) >= value) continue;
        double const from = i == peak.knot ? peak.depth : s.knot(i), to = s.knot(next);
        return forward ? s.solve(value, from, to) : s.solve(value, to, from);
    }
    return nan;
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
    m.r90 = crossing(s, peak, 0.9, true);
    m.r80 = crossing(s, peak, 0.8, true);
    m.r50 = crossing(s, peak, 0.5, true);
    m.r20 = crossing(s, peak, 0.2, true);
    m.proximal_80 = crossing(s, peak, 0.8, false);
    m.fall_off = m.r20 - m.r80;
    m.width = m.r50 - crossing(s, peak, 0.5, false);
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
        for (index x = 0; x < result.columns; ++x)
            sum += result.deposit[static_cast<std::size_t>(k * result.columns + x)];
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

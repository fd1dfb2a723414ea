// The gamma index: distances to a surface of triangles.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/share_out.h"
#include "domain/proton/metrics/simplex.h"
#include "sluice/device.h"
#include "sluice/proton.h"

namespace sluice::proton {
namespace {

class Surface {
  public:
    Surface(DoseMap const& map, GammaOptions const& options) : map_(map), options_(options) {}

    // Gamma at a point of a dose; `unit` is the dose that counts as 1.
    double gamma(double z, double x, double dose, double unit) const {
        double const reach = options_.most * options_.distance;
        auto const [r0, r1] = cells(z, reach, map_.z0, map_.dz, map_.rows);
        auto const [c0, c1] = cells(x, reach, map_.x0, map_.dx, map_.columns);
        double best = options_.most * options_.most;
        auto const at = [&](index r, index c) -> Vector<3> {
            double const value = map_.values[static_cast<std::size_t>(r * map_.columns + c)];
            return {(map_.z0 + static_cast<double>(r) * map_.dz - z) / options_.distance,
                    (map_.x0 + static_cast<double>(c) * map_.dx - x) / options_.distance,
                    (value - dose) / unit};
        };
        if (map_.rows == 1 || map_.columns == 1) {
            bool const along = map_.columns == 1;
            for (index i = along ? r0 : c0; i < (along ? r1 : c1); ++i)
                best = std::min(best, along ? to_segment(at(i, 0), at(i + 1, 0))
                                            : to_segment(at(0, i), at(0, i + 1)));
            return std::sqrt(best);
        }
        for (index r = r0; r < r1; ++r)
            for (index c = c0; c < c1; ++c) {
                Vector<3> const p = at(r, c), q = at(r, c + 1), s = at(r + 1, c),
                                t = at(r + 1, c + 1);
                // All of it lies above or below by more than the best so far.
                double const low = std::min({p[2], q[2], s[2], t[2]});
                double const high = std::max({p[2], q[2], s[2], t[2]});
                double const off = std::max({low, -high, 0.0});
                if (off * off >= best) continue;
                best = std::min({best, to_triangle(p, q, s), to_triangle(q, s, t)});
            }
        return std::sqrt(best);
    }

  private:
    DoseMap const& map_;
    GammaOptions const& options_;

    // Cells [first, past) that are within reach of a place.
    static std::pair<index, index> cells(double at, double reach, double origin, double step,
                                         index points) {
        if (points == 1) return {0, 0};
        double const low = std::floor((at - reach - origin) / step);
        double const high = std::ceil((at + reach - origin) / step);
        auto const most = static_cast<double>(points - 1);
        return {static_cast<index>(std::clamp(low, 0.0, most)),
                static_cast<index>(std::clamp(high, 0.0, most))};
    }
};

Status check(DoseMap const& map, std::string_view what) {
    bool const good = map.rows > 0 && map.columns > 0 && map.rows * map.columns > 1 && map.dz > 0 &&
                      map.dx > 0 &&
                      map.values.size() == static_cast<std::size_t>(map.rows * map.columns) &&
                      std::all_of(map.values.begin(), map.values.end(),
                                  [](double v) { return std::isfinite(v); });
    if (good) return {};
    return Error{Code::invalid_argument,
                 fmt::format("the {} dose of {} x {} points {} mm and {} mm apart, with {} values, "
                             "is not a map of finite doses",
                             what, map.rows, map.columns, map.dz, map.dx, map.values.size())};
}

}  // namespace

DoseMap dose_map(MarchResult const& r) {
    return {r.planes, r.columns, r.dz, r.dx, r.dz / 2, r.x0 + r.dx / 2, r.deposit};
}

Result<GammaResult> gamma_index(DoseMap const& reference, DoseMap const& evaluated,
                                GammaOptions const& options) {
    SLUICE_CHECK(check(reference, "reference"));
    SLUICE_CHECK(check(evaluated, "evaluated"));
    if (!(options.dose > 0 && options.distance > 0 && options.most > 0 && options.cutoff >= 0))
        return Error{Code::invalid_argument,
                     "gamma needs a dose, a distance and a largest value above 0"};
    double const top = *std::max_element(reference.values.begin(), reference.values.end());
    if (top <= 0) return Error{Code::invalid_argument, "the reference has no dose"};
    Surface const surface(evaluated, options);
    GammaResult out;
    out.gamma.assign(reference.values.size(), std::numeric_limits<double>::quiet_NaN());
    int const threads = Device::cpu(options.threads).threads();
    Run run(options.progress, reference.rows);
    share_out(reference.rows, threads, &run, [&](index r, int) {
        for (index c = 0; c < reference.columns && run.wanted(); ++c) {
            auto const k = static_cast<std::size_t>(r * reference.columns + c);
            double const dose = reference.values[k];
            if (dose < options.cutoff * top || dose <= 0) continue;
            out.gamma[k] = surface.gamma(reference.z0 + static_cast<double>(r) * reference.dz,
                                         reference.x0 + static_cast<double>(c) * reference.dx, dose,
                                         options.dose * (options.local ? dose : top));
        }
        run.done();
    });
    SLUICE_CHECK(run.check());
    for (double const g : out.gamma) {
        if (std::isnan(g)) continue;
        ++out.points;
        out.passed += g <= 1 ? 1 : 0;
        out.mean += g;
    }
    if (out.points > 0) {
        out.passed /= static_cast<double>(out.points);
        out.mean /= static_cast<double>(out.points);
    }
    return out;
}

}  // namespace sluice::proton

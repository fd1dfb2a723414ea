// The template's value and slopes at any place: an edge with harmonics, or a radial profile.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/away.h"
#include "sluice/probe_template.h"

namespace sluice::stem4d {
namespace {

// A value of a polar function and its derivatives by radius and angle.
struct Polar {
    double value, by_radius, by_angle;
};

// R(phi) over the radius, less 1, and its derivative.
std::array<double, 2> wobble(ProbeTemplate const& t, double phi) {
    std::array<double, 2> sum{};
    for (std::size_t i = 0; i < t.harmonics.size(); ++i) {
        auto const k = static_cast<double>(i + 2);
        double const c = std::cos(k * phi), s = std::sin(k * phi);
        sum[0] += t.harmonics[i][0] * c + t.harmonics[i][1] * s;
        sum[1] += k * (t.harmonics[i][1] * c - t.harmonics[i][0] * s);
    }
    return sum;
}

Polar edge(ProbeTemplate const& t, double r, double phi) {
    auto const w = t.harmonics.empty() ? std::array<double, 2>{} : wobble(t, phi);
    double const steep = 4 / t.edge_width;
    // Beyond 60 the exponential has no say any more, and it would overflow further on.
    double const x = std::clamp(steep * (r - t.radius * (1 + w[0])), -60.0, 60.0);
    double const value = 1 / (1 + std::exp(x));
    double const slope = -steep * value * (1 - value);
    return {value, slope, -slope * t.radius * w[1]};
}

// Catmull-Rom's cubics between the profile's values, which are even about 0.
Polar profile(ProbeTemplate const& t, double r) {
    double const at = r / t.profile_step;
    index const n = std::ssize(t.profile);
    auto const i = static_cast<index>(std::min(std::floor(at), static_cast<double>(n)));
    if (i >= n) return {0, 0, 0};
    auto const p = [&](index k) {
        k = std::abs(k);
        return k < n ? t.profile[static_cast<std::size_t>(k)] : 0.0;
    };
    double const f = at - static_cast<double>(i);
    double const a = p(i), d = p(i + 1), m = (d - p(i - 1)) / 2, k = (p(i + 2) - a) / 2;
    double const c2 = 3 * (d - a) - 2 * m - k, c3 = 2 * (a - d) + m + k;
    return {a + f * (m + f * (c2 + f * c3)), (m + f * (2 * c2 + 3 * f * c3)) / t.profile_step, 0};
}

}  // namespace

std::array<double, 3> ProbeTemplate::value_and_slopes(double row, double col) const {
    double const r = crystal::away(row, col);
    Polar const p =
        profile.empty() ? edge(*this, r, std::atan2(col, row)) : stem4d::profile(*this, r);
    if (r < 1e-9) return {p.value, 0, 0};
    double const u = row / r, v = col / r, turn = p.by_angle / r;
    return {p.value, p.by_radius * u - turn * v, p.by_radius * v + turn * u};
}

double ProbeTemplate::value(double row, double col) const {
    return value_and_slopes(row, col)[0];
}

double ProbeTemplate::reach() const {
    if (!profile.empty()) {
        for (index i = std::ssize(profile) - 1; i >= 0; --i)
            if (std::abs(profile[static_cast<std::size_t>(i)]) >= 1e-3)
                return profile_step * static_cast<double>(i + 1);
        return 0;
    }
    double most = 1;
    for (auto const& h : harmonics) most += std::hypot(h[0], h[1]);
    return radius * most + edge_width * std::log(999.0) / 4;
}

Result<ProbeTemplate> synthetic_template(double radius, double edge_width) {
    for (auto const& [name, length] :
         {std::pair{"radius", radius}, std::pair{"edge width", edge_width}})
        if (!std::isfinite(length) || length <= 0)
            return Error{Code::invalid_argument,
                         fmt::format("a template cannot have the {} {} (it is a length in pixels) "
                                     "give a finite number above 0",
                                     name, length)};
    ProbeTemplate t;
    t.radius = radius;
    t.edge_width = edge_width;
    t.source =
        fmt::format("a disk of radius {} px with an edge of {} px, as given", radius, edge_width);
    return t;
}

}  // namespace sluice::stem4d

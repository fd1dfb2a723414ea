// Fits the values of a profile, between which cubics lie.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/probe/profile_fit.h"

#include <algorithm>
#include <cmath>

#include "domain/crystal/probe/normal_equations.h"
#include "domain/crystal/probe/tables.h"

namespace sluice::crystal {
namespace {

using stem4d::ProbeTemplate;

// Catmull-Rom's weights of the values before, here, after and beyond at a fraction of a step.
std::array<double, 4> cubic(double f) {
    double const f2 = f * f, f3 = f2 * f;
    return {(-f + 2 * f2 - f3) / 2, (2 - 5 * f2 + 3 * f3) / 2, (f + 4 * f2 - 3 * f3) / 2,
            (f3 - f2) / 2};
}

void add_sample(NormalEquations& equations, index n, double at, double weight, double value) {
    auto const i = static_cast<index>(std::floor(at));
    auto const c = cubic(at - static_cast<double>(i));
    // Values are even about 0, and 0 behind the last.
    std::array<double, 4> slopes{};
    index const first = std::max<index>(0, i - 1);
    for (index k = -1; k <= 2; ++k) {
        index const node = std::abs(i + k);
        if (node < n)
            slopes[static_cast<std::size_t>(node - first)] += c[static_cast<std::size_t>(k + 1)];
    }
    index const count = std::min<index>(4, n - first);
    if (count > 0)
        equations.add(first, std::span(slopes).first(static_cast<std::size_t>(count)), weight,
                      value);
}

// A little stiffness decides about values that no pixel is near.
void add_stiffness(NormalEquations& equations, index n, double weight) {
    std::array const bend{1.0, -2.0, 1.0};
    for (index i = 0; i + 2 < n; ++i) equations.add(i, bend, weight, 0);
}

// The outermost place where the profile falls below a half.
double half_radius(ProbeTemplate const& t) {
    for (double r = t.reach(); r > 0; r -= 0.01)
        if (t.value_and_slopes(r, 0)[0] >= 0.5) return r;
    return 0;
}

}  // namespace

Result<ProbeTemplate> fit_profile(DiskImages const& images, EdgeFit const& edge) {
    ProbeTemplate t = edge.probe;
    t.harmonics.clear();
    double const outer = edge.probe.reach() + 2;
    auto const n = static_cast<index>(std::ceil(outer / t.profile_step));
    NormalEquations equations(n);
    double total = 0;
    each_pixel(images, outer, [&](DiskImage const& image, std::size_t i, double r, double c) {
        double const under = edge.under(r, c);
        double const counts = static_cast<double>(image.counts[i]) / image.scale;
        double const model = std::max(under + edge.height * edge.probe.value(r, c), 0.0);
        double const weight =
            image.scale * edge.height * edge.height / (model + 1e-3 * edge.height);
        total += weight;
        add_sample(equations, n, std::hypot(r, c) / t.profile_step, weight,
                   (counts - under) / edge.height);
    });
    add_stiffness(equations, n, 1e-6 * total / static_cast<double>(n));
    auto const values = equations.solve();
    if (!values)
        return Error{
            Code::invalid_argument,
            "no radial profile can be fitted to the disk (its pixels do not determine one) "
            "fit an edge instead"};
    t.profile = *values;
    t.radius = half_radius(t);
    if (t.radius <= 0)
        return Error{Code::invalid_argument,
                     "the disk's radial profile has no edge (it never falls from above a half) "
                     "give a pattern with a brighter disk"};
    t.edge_width = edge_width_of(t);
    return t;
}

}  // namespace sluice::crystal

// Reflections of a crystal, and which of them lie on Ewald's sphere.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/library/reflection_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::orient {
namespace {

double squared(std::complex<double> const& f) {
    return std::norm(f);
}

}  // namespace

Result<ReflectionTable> reflection_table(stem4d::UnitCell const& cell, double most_frequency,
                                         double least) {
    SLUICE_TRY(auto const all, stem4d::structure_factors(cell, most_frequency));
    double most = 0;
    for (auto const& f : all) most = std::max(most, squared(f.amplitude));
    if (!(most > 0))
        return Error{Code::invalid_argument,
                     fmt::format("the crystal {} has no reflection up to {:g} 1/ångström (its "
                                 "lattice is finer, or all are absent) raise most_frequency",
                                 cell.name, most_frequency)};
    ReflectionTable out;
    for (auto const& f : all) {
        double const strength = squared(f.amplitude) / most;
        if (strength < least) continue;
        out.hkl.push_back(f.hkl);
        out.x.push_back(static_cast<float>(f.g[0]));
        out.y.push_back(static_cast<float>(f.g[1]));
        out.z.push_back(static_cast<float>(f.g[2]));
        out.frequency.push_back(static_cast<float>(f.frequency));
        out.strength.push_back(static_cast<float>(strength));
    }
    return out;
}

Heights heights_of(ReflectionTable const& table, Ewald const& ewald, double least, double margin) {
    Heights out;
    for (float const frequency : table.frequency) {
        auto const f = static_cast<double>(frequency);
        double const reach = ewald.reach(least, f) + margin * f;
        out.low.push_back(static_cast<float>(ewald.height(reach, f)));
        out.high.push_back(static_cast<float>(ewald.height(-reach, f)));
    }
    return out;
}

Frame frame_of(stem4d::Orientation const& g) {
    return g.inverse().matrix();
}

void Excited::clear() {
    number.clear();
    x.clear(), y.clear(), excitation.clear(), intensity.clear();
}

void excite(ReflectionTable const& table, Heights const& heights, Ewald const& ewald,
            Frame const& frame, double least, Excited& out) {
    out.clear();
    double most = 0;
    auto const low = [](double x) { return static_cast<float>(x); };
    float const zx = low(frame[2][0]), zy = low(frame[2][1]), zz = low(frame[2][2]);
    for (std::size_t i = 0; i < table.x.size(); ++i) {
        float const z = zx * table.x[i] + zy * table.y[i] + zz * table.z[i];
        if (!(z > heights.low[i] && z < heights.high[i])) continue;
        Vector3 const g = table.place(i);
        Vector3 const q{dot(frame[0], g), dot(frame[1], g), dot(frame[2], g)};
        double const s = ewald.excitation(q);
        double const across = ewald.precesses() ? std::hypot(q[0], q[1]) : 0;
        double const intensity = static_cast<double>(table.strength[i]) * ewald.envelope(s, across);
        most = std::max(most, intensity);
        if (intensity < least * most) continue;
        out.number.push_back(static_cast<index>(i));
        out.x.push_back(static_cast<float>(q[0]));
        out.y.push_back(static_cast<float>(q[1]));
        out.excitation.push_back(static_cast<float>(s));
        out.intensity.push_back(static_cast<float>(intensity));
    }
    // Those before the strongest one were compared with less.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < out.x.size(); ++i) {
        if (static_cast<double>(out.intensity[i]) < least * most) continue;
        out.number[kept] = out.number[i];
        out.x[kept] = out.x[i], out.y[kept] = out.y[i];
        out.excitation[kept] = out.excitation[i], out.intensity[kept] = out.intensity[i];
        ++kept;
    }
    out.number.resize(kept);
    out.x.resize(kept), out.y.resize(kept);
    out.excitation.resize(kept), out.intensity.resize(kept);
}

}  // namespace sluice::orient

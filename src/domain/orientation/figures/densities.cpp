// pole_density and inverse_pole_density: directions of a phase, in the sample or in the crystal.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/orientation/figures/sphere_density.h"
#include "domain/orientation/map/neighbours.h"
#include "domain/orientation/rotation/sector.h"
#include "sluice/structure_factors.h"

namespace sluice::stem4d {
namespace {

Result<CrystalPhase const*> phase_of(OrientationMap const& map, PoleFigureOptions const& o) {
    SLUICE_CHECK(check_orientations(map));
    if (o.phase < 0 || o.phase >= std::ssize(map.phases))
        return Error{Code::invalid_argument,
                     fmt::format("there is no phase {} (the map has {}, from 0 on); name one of "
                                 "them",
                                 o.phase, map.phases.size())};
    if (!(o.halfwidth_degrees >= 1 && o.halfwidth_degrees <= 45))
        return Error{Code::invalid_argument,
                     fmt::format("a halfwidth of {:g} degrees (1 to 45 can be); give another",
                                 o.halfwidth_degrees)};
    return &map.phases[static_cast<std::size_t>(o.phase)];
}

// Calls f for the orientations of the phase; how many there are.
template <class F>
index each_of(OrientationMap const& map, std::int32_t phase, F const& f) {
    index n = 0;
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (orient::is_indexed(map, p) && map.phase[p] == phase) f(map.orientation[p]), ++n;
    return n;
}

Vector3 normal_of(UnitCell const& cell, Indices const& hkl) {
    auto const [a, b, c] = reciprocal_axes_of(cell);
    return orient::sum(orient::sum(orient::scaled(a, hkl[0]), orient::scaled(b, hkl[1])),
                       orient::scaled(c, hkl[2]));
}

}  // namespace

Result<PoleDensity> pole_density(OrientationMap const& map, Indices const& hkl,
                                 PoleFigureOptions const& options) {
    SLUICE_TRY(CrystalPhase const* const phase, phase_of(map, options));
    if (hkl == Indices{})
        return Error{Code::invalid_argument, "the planes (000) have no normal; give other indices"};
    Vector3 const normal = normal_of(phase->cell, hkl);
    std::vector<Vector3> equal;
    for (Orientation const& r : phase->symmetry.rotations) equal.push_back(r.turn(normal));
    orient::SphereDensity density;
    index const n = each_of(map, options.phase, [&](Orientation const& g) {
        for (Vector3 const& v : equal) {
            // Towards the eye is where the electrons come from: -z.
            Vector3 const s = g.inverse().turn(v);
            density.add({s[0], s[1], -s[2]});
        }
    });
    PoleDensity out = density.smeared(options.halfwidth_degrees);
    out.patterns = n;
    return out;
}

Result<PoleDensity> inverse_pole_density(OrientationMap const& map, Vector3 const& direction,
                                         PoleFigureOptions const& options) {
    SLUICE_TRY(CrystalPhase const* const phase, phase_of(map, options));
    if (!(orient::length(direction) > 0))
        return Error{Code::invalid_argument,
                     "a direction of the sample has no length; give another, as 0, 0, 1"};
    orient::SphereDensity density;
    index const n = each_of(map, options.phase, [&](Orientation const& g) {
        for (Orientation const& r : phase->symmetry.rotations) {
            Vector3 const v = orient::into_frame(phase->symmetry, r.turn(g.turn(direction)));
            density.add({v[0], -v[1], v[2]});
        }
    });
    PoleDensity out = density.smeared(options.halfwidth_degrees);
    out.patterns = n;
    return out;
}

}  // namespace sluice::stem4d

// The least rotation between two crystals, of all that their symmetries make equal.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/rotation/disorientation.h"

#include <cmath>

#include "domain/orientation/vectors.h"

namespace sluice::orient {
namespace {

using stem4d::CrystalSymmetry;
using stem4d::Orientation;

double angle_of(Orientation const& q) {
    return 2 * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::abs(q.w)) / degree;
}
double scalar_part(Orientation const& a, Orientation const& b) {
    return a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
}

}  // namespace

Orientation nearest_equal(Orientation const& to, Orientation const& g, CrystalSymmetry const& s) {
    Orientation const from_to = g * to.inverse();
    Orientation const* best = s.rotations.data();
    double most = -1;
    for (Orientation const& r : s.rotations)
        if (double const w = std::abs(scalar_part(r, from_to)); w > most) most = w, best = &r;
    Orientation const out = *best * g;
    double const same_side = out.w * to.w + out.x * to.x + out.y * to.y + out.z * to.z;
    return same_side < 0 ? Orientation{-out.w, -out.x, -out.y, -out.z} : out;
}

}  // namespace sluice::orient

namespace sluice::stem4d {

double disorientation(Orientation const& one, Orientation const& two, CrystalSymmetry const& s) {
    // The angle of a m b is that of b a m, and b a is one of the group again.
    return orient::angle_of(orient::nearest_equal(one, two, s) * one.inverse());
}

double disorientation(Orientation const& one, Orientation const& two, CrystalSymmetry const& a,
                      CrystalSymmetry const& b) {
    Orientation const between = one * two.inverse();
    double most = -1;
    Orientation best = between;
    for (Orientation const& r : b.rotations)
        for (Orientation const& s : a.rotations) {
            Orientation const both = r * s;
            if (double const w = std::abs(orient::scalar_part(both, between)); w > most)
                most = w, best = both * between;
        }
    return orient::angle_of(best);
}

}  // namespace sluice::stem4d

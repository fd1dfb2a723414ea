// Keeps the best candidates, and tells which of them are the same orientation.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/candidates.h"

#include <algorithm>

namespace sluice::orient {
namespace {

// Those that are nearer to each other, in degrees, refine to the same orientation.
constexpr double candidates_apart = 5;

}  // namespace

using stem4d::Orientation;

void Candidates::offer(Candidate const& c) {
    if (!(c.score > least())) return;
    std::size_t at = count_ < most ? count_++ : most - 1;
    for (; at > 0 && all_[at - 1].score < c.score; --at) all_[at] = all_[at - 1];
    all_[at] = c;
}

// q = turn about z of the zone's place, or of the place with y negated. Since the opposite of a
// reflection is one, too, (x, -y, z) is as good as (-x, y, -z): half a turn about y.
Orientation turned(Orientation const& zone, double azimuth, bool mirror) {
    Orientation const back{std::cos(azimuth / 2), 0, 0, -std::sin(azimuth / 2)};
    return mirror ? zone * Orientation{0, 0, 1, 0} * back : zone * back;
}

double nearness(Orientation const& a, Orientation const& b,
                stem4d::CrystalSymmetry const& symmetry) {
    Orientation const d = a * b.inverse();
    double most = 0;
    for (Orientation const& s : symmetry.rotations)
        most = std::max(most, std::abs(s.w * d.w + s.x * d.x + s.y * d.y + s.z * d.z));
    return std::min(most, 1.0);
}

void distinct(stem4d::OrientationLibrary::State const& library, Candidates const& candidates,
              index most, std::vector<Start>& out) {
    out.clear();
    double const near = std::cos(candidates_apart * degree / 2);
    for (Candidate const& c : candidates.all()) {
        if (std::ssize(out) == most) return;
        auto const zone = static_cast<std::size_t>(c.zone);
        index const phase = library.phase_of[zone];
        Orientation const g =
            turned(library.zones[zone],
                   2 * std::numbers::pi * c.azimuth / static_cast<double>(azimuths), c.mirror);
        auto const& symmetry = library.phases[static_cast<std::size_t>(phase)].symmetry;
        if (std::ranges::none_of(out, [&](Start const& other) {
                return other.phase == phase && nearness(g, other.orientation, symmetry) > near;
            }))
            out.push_back({c.score, phase, g});
    }
}

}  // namespace sluice::orient

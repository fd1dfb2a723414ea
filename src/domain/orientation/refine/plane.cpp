// Orientations that one plane of reflections cannot tell apart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/orientation/refine/fit_orientation.h"

namespace sluice::orient {
namespace {

constexpr double sine_of_other_direction = 0.1;
constexpr double part_in_plane = 0.5;

struct Counted {
    Vector3 g;
    double counts;
};

}  // namespace

std::optional<Start> FitOrientation::turned_about_plane() const {
    std::vector<Counted> all;
    for (std::size_t j = 0; j < reflection_.size(); ++j)
        if (reflection_[j] >= 0)
            all.push_back({near_[static_cast<std::size_t>(reflection_[j])].g, square(root_[j])});
    if (all.size() < 2) return {};
    std::ranges::stable_sort(all, std::ranges::greater{}, &Counted::counts);
    auto const other = std::ranges::find_if(all, [&](Counted const& c) {
        return length(cross(unit(c.g), unit(all[0].g))) > sine_of_other_direction;
    });
    if (other == all.end()) return {};
    Vector3 const normal = unit(cross(all[0].g, other->g));
    double inside = 0, counts = 0;
    for (Counted const& c : all) {
        counts += c.counts;
        if (std::abs(dot(c.g, normal)) < 1e-3) inside += c.counts;
    }
    if (inside < part_in_plane * counts) return {};
    auto const g = stem4d::from_matrix(frame_).inverse();
    return Start{0, phase_, stem4d::rotation_about(normal, 180) * g};
}

}  // namespace sluice::orient

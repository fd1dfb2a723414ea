// Rays are followed in steps of half an element.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/target/rays.h"

#include <algorithm>
#include <cmath>

#include "device/share_out.h"

namespace sluice::proton::target {
namespace {

/// The target's own voxels as a patient of two tissues, of which 1 is the target.
Patient as_tissue(Patient const& patient, std::vector<std::uint16_t> const& inside) {
    return {.shape = patient.shape,
            .spacing = patient.spacing,
            .origin = patient.origin,
            .direction = patient.direction,
            .tissue = inside,
            .stopping = {0, 1},
            .scattering = {0, 1}};
}

/// What the target covers of the plane of the isocentre, by its elements' middles: [least, most].
std::array<std::array<double, 2>, 2> shadow_of(Patient const& p, cube::Frame const& frame) {
    std::array<std::array<double, 2>, 2> box{{{1e30, -1e30}, {1e30, -1e30}}};
    index const nx = p.shape[2], ny = p.shape[1];
    for (std::size_t i = 0; i < p.tissue.size(); ++i) {
        if (p.tissue[i] == 0) continue;
        auto const k = static_cast<index>(i);
        index const z = k / nx / ny;
        double const element[3] = {static_cast<double>(k % nx), static_cast<double>(k / nx % ny),
                                   static_cast<double>(z)};
        cube::Place3 at{p.origin[0], p.origin[1], p.origin[2]};
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t c = 0; c < 3; ++c)
                at[c] += element[a] * p.spacing[a] * p.direction[a][c];
        cube::Place3 const g = frame.to_gantry(at);
        for (std::size_t a = 0; a < 2; ++a) {
            double const u = g[a] / frame.spread(static_cast<int>(a), g[2]);
            box[a] = {std::min(box[a][0], u), std::max(box[a][1], u)};
        }
    }
    return box;
}

class Follower {
  public:
    Follower(Patient const& patient, Patient const& target, cube::Frame const& frame)
        : frame_(frame), tissue_(patient, frame), target_(target, frame) {
        auto const box = cube::box_of(frame, patient);
        top_ = box[2][1];
        bottom_ = box[2][0];
        step_ = *std::ranges::min_element(patient.spacing) / 2;
    }

    void follow(Ray& ray) const {
        double const x = ray.u / frame_.source[0], y = ray.v / frame_.source[1];
        double const stretch = std::sqrt(1 + x * x + y * y);
        double water = 0;
        for (double z = top_ - step_ / 2; z > bottom_; z -= step_) {
            double const wide_x = frame_.spread(0, z), wide_y = frame_.spread(1, z);
            cube::Place3 const at{ray.u * wide_x, ray.v * wide_y, z};
            double const met = static_cast<double>(tissue_.at(at).stopping) * step_ * stretch;
            if (target_.tissue_at(at) == 1)
                ray.inside.push_back(
                    {static_cast<float>(water + met / 2), static_cast<float>(wide_x * wide_y)});
            water += met;
        }
    }

  private:
    cube::Frame const& frame_;
    cube::Rays tissue_, target_;
    double top_ = 0, bottom_ = 0, step_ = 1;
};

}  // namespace

std::vector<Ray> rays_through(Patient const& patient, std::vector<std::uint16_t> const& inside,
                              cube::Frame const& frame, double spacing, int threads, Run& run) {
    Patient const target = as_tissue(patient, inside);
    auto const box = shadow_of(target, frame);
    std::vector<Ray> all;
    auto const first = [&](std::size_t a) { return std::floor(box[a][0] / spacing); };
    auto const last = [&](std::size_t a) { return std::ceil(box[a][1] / spacing); };
    bool back = false;
    for (double v = first(1); v <= last(1); ++v, back = !back)
        for (double u = first(0); u <= last(0); ++u)
            all.push_back({(back ? first(0) + last(0) - u : u) * spacing, v * spacing, {}});
    Follower const follower(patient, target, frame);
    share_out(std::ssize(all), threads, &run,
              [&](index i, int) { follower.follow(all[static_cast<std::size_t>(i)]); });
    std::erase_if(all, [](Ray const& r) { return r.inside.empty(); });
    return all;
}

}  // namespace sluice::proton::target

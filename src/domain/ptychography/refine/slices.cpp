// Gauss and Newton's steps for the slices' distance and the specimen's tilt. The object gives way
// to wrong ones, so that each step falls short: steps in one direction add up.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/step/weight.h"

namespace sluice::ptycho {

namespace {

constexpr double slices_momentum = 0.85;
constexpr double longest_part = 0.1;   // of the distance in an iteration
constexpr double longest_tilt = 2e-3;  // in an iteration, rad
constexpr double largest_tilt = 0.5;   // rad

}  // namespace

template <class Real>
void step_slices(Job<Real>& job) {
    double const by = 2 * curvature_of(job.step.model().likelihood);
    auto& state = job.state;
    Collected const& from = job.collected;
    auto const move = [&](std::size_t i, double slope, double reach, double most) {
        double& speed = state.slices_speed[i];
        speed = std::clamp(slices_momentum * speed - slope / (by * reach), -most, most);
        return speed;
    };
    if (job.stage.refine_slice_distance && from.slice_reach > 0)
        state.slice_nm += move(0, from.slice, from.slice_reach, longest_part * state.slice_nm);
    for (std::size_t i : {0U, 1U})
        if (job.stage.refine_tilt && from.tilt_reach[i] > 0)
            state.tilt_rad[i] = std::clamp(
                state.tilt_rad[i] + move(i + 1, from.tilt[i], from.tilt_reach[i], longest_tilt),
                -largest_tilt, largest_tilt);
    job.step.set_slices(state.slice_nm, state.tilt_rad);
}

template void step_slices(Job<float>&);
template void step_slices(Job<double>&);

}  // namespace sluice::ptycho

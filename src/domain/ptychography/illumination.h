// Illumination: what all patterns together put onto each pixel of the canvas.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/group_sums.h"

namespace sluice::ptycho {

/// [row][col] of the canvas: the sum of a window's `power` over all patterns, at whole pixels.
template <class Real>
std::vector<Real> illumination(Job<Real> const& job, std::vector<Real> const& power) {
    index const n = job.window();
    std::vector<WindowPlace> places;
    for (auto const& position : job.state.positions) places.push_back(place_of(position, false));
    auto const [rows, cols] = job.canvas();
    std::vector<Real> light(static_cast<std::size_t>(rows * cols));
    each_canvas_row<Real>(
        places, n, job.canvas(), 1, job.threads,
        [&](index, index r, Real* const* to) { job.rows.add(power.data() + r * n, n, to[0]); },
        [&, width = cols](index y, index first, index last, Real* const* sums) {
            std::copy(sums[0] + first, sums[0] + last, light.data() + y * width + first);
        });
    return light;
}

/// The same of |probe|^2.
template <class Real>
std::vector<Real> illumination(Job<Real> const& job) {
    return illumination(job, probe_power(job));
}

}  // namespace sluice::ptycho

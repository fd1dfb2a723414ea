// Sums over a group's patterns: of their gradients, and of the powers of object and probe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "domain/ptychography/job.h"

namespace sluice::ptycho {

/// The sum of the group's gradients by mode k of the probe that all share, in the order of the
/// group.
template <class Real>
void sum_probe_gradients(Job<Real> const& job, std::size_t k, Planar<Real>& sum) {
    parallel_for(sum.rows(), job.threads, 8, [&](index r, int) {
        Real* const to = sum.re(r);
        std::fill(to, to + 2 * sum.half(), Real{0});
        for (index w = 0; w < std::ssize(job.places); ++w)
            if (auto const* const mine = job.gradients_of(w)) {
                Real const* const from = mine->probe[k].re(r);
                if (job.state.varies())
                    job.rows.add_scaled(from,
                                        static_cast<Real>(job.state.weights_of(
                                            job.group[static_cast<std::size_t>(w)])[0]),
                                        2 * sum.half(), to);
                else
                    job.rows.add(from, 2 * sum.half(), to);
            }
    });
    sum_window(job.share, sum);
}

/// Adds row r of window w's object gradient, where it is here: its real parts to to[0], its
/// imaginary ones to to[1].
template <class Real>
void add_object_row(Job<Real> const& job, index w, std::size_t slice, index r, Real* const* to) {
    auto const* const mine = job.gradients_of(w);
    if (!mine) return;
    job.rows.add(mine->object[slice].re(r), job.window(), to[0]);
    job.rows.add(mine->object[slice].im(r), job.window(), to[1]);
}

/// [row][col] of a window: the sum of |object|^2 over the group, of the first slice.
template <class Real>
std::vector<Real> sum_object_power(Job<Real> const& job) {
    index const n = job.window();
    Planar<Real> const& object = job.state.object.front();
    std::vector<Real> sum(static_cast<std::size_t>(n * n));
    parallel_for(n, job.threads, 8, [&](index r, int) {
        Real* const to = sum.data() + r * n;
        for (WindowPlace const& place : job.places) {
            Real const* const re = object.re(place.row + r) + place.col;
            Real const* const im = object.im(place.row + r) + place.col;
            job.rows.add_power(re, im, n, to);
        }
    });
    return sum;
}

/// [row][col] of a window: |probe|^2 of all modes.
template <class Real>
std::vector<Real> power_of(std::vector<Planar<Real>> const& probe, Job<Real> const& job) {
    index const n = probe.front().rows();
    std::vector<Real> sum(static_cast<std::size_t>(n * n));
    for (auto const& mode : probe)
        for (index r = 0; r < n; ++r)
            job.rows.add_power(mode.re(r), mode.im(r), n, sum.data() + r * n);
    return sum;
}

/// The same of the job's probe.
template <class Real>
std::vector<Real> probe_power(Job<Real> const& job) {
    return power_of(job.state.probe, job);
}

/// [slice][row][col] of a window: |probe|^2 where the slice is, with nothing in front of it. A
/// probe out of focus is wider in one slice than in another: divided by the first one's light, the
/// steps of the others would be long where only they are lit.
template <class Real>
std::vector<std::vector<Real>> light_of_slices(Job<Real> const& job) {
    std::vector<std::vector<Real>> light = {probe_power(job)};
    if (job.slices() == 1) return light;
    auto probe = job.state.probe;
    while (std::ssize(light) < job.slices()) {
        for (auto& mode : probe) job.step.spread(mode);
        light.push_back(power_of(probe, job));
    }
    return light;
}

/// The largest sum of `power` (a window's) over the group anywhere on the canvas.
template <class Real>
Real largest_illumination(Job<Real> const& job, std::vector<Real> const& power) {
    index const n = job.window();
    std::vector<Real> largest(static_cast<std::size_t>(job.canvas()[0]));
    each_canvas_row<Real>(
        job.places, n, job.canvas(), 1, job.threads,
        [&](index, index r, Real* const* to) { job.rows.add(power.data() + r * n, n, to[0]); },
        [&](index y, index first, index last, Real* const* sums) {
            largest[static_cast<std::size_t>(y)] =
                *std::max_element(sums[0] + first, sums[0] + last);
        });
    return *std::max_element(largest.begin(), largest.end());
}

}  // namespace sluice::ptycho

// Gauss and Newton's steps for what the detector adds: shifts of patterns, a background.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/refine/refine.h"
#include "domain/ptychography/step/weight.h"

namespace sluice::ptycho {

namespace {

constexpr double longest_shift = 0.25;  // of a pattern in an iteration, in its pixels

// Of |probe|^2 about its middle, along rows and columns, in pixels^2.
template <class Real>
std::array<double, 2> spread(Job<Real> const& job) {
    auto const power = probe_power(job);
    index const n = job.window();
    double all = 0, mean[2] = {}, square[2] = {};
    for (index r = 0; r < n; ++r)
        for (index c = 0; c < n; ++c) {
            auto const p = static_cast<double>(power[static_cast<std::size_t>(r * n + c)]);
            double const at[] = {static_cast<double>(r), static_cast<double>(c)};
            all += p;
            for (int i = 0; i < 2; ++i) {
                mean[i] += p * at[i];
                square[i] += p * at[i] * at[i];
            }
        }
    if (!(all > 0)) return {};
    return {square[0] / all - mean[0] * mean[0] / all / all,
            square[1] / all - mean[1] * mean[1] / all / all};
}

}  // namespace

// A shift is a ramp on the wave: |d psi|^2 = (2 pi / n)^2 (r - mean r)^2 |psi|^2, without the phase
// of the whole.
template <class Real>
void step_descan(Job<Real>& job) {
    auto const widths = spread(job);
    auto const n = static_cast<double>(job.window());
    double const unit = std::pow(2 * std::numbers::pi / n, 2);
    double const by = 2 * curvature_of(job.step.model().likelihood) * unit;
    auto& descan = job.state.descan;
    std::array<double, 2> mean{};
    for (std::size_t j = 0; j < descan.size(); ++j) {
        auto const move = [&](std::size_t axis) {
            double const curvature = by * widths[axis] * job.collected.counts[j];
            if (!(curvature > 0)) return 0.0;
            return std::clamp(-job.collected.descan[j][axis] / curvature, -longest_shift,
                              longest_shift);
        };
        descan[j].row += move(0);
        descan[j].col += move(1);
        mean[0] += descan[j].row / static_cast<double>(descan.size());
        mean[1] += descan[j].col / static_cast<double>(descan.size());
    }
    // A shift that all patterns share is a ramp of the probe.
    if (!job.moves_probe()) return;
    for (auto& shift : descan) {
        shift.row -= mean[0];
        shift.col -= mean[1];
    }
}

// The second derivative by the background is 1 / (2 M) for amplitudes at the answer. Object and
// probe go after the same counts, hence half of the step.
template <class Real>
void step_background(Job<Real>& job) {
    auto& background = job.state.background;
    double const by = 0.5 / (0.5 * curvature_of(job.step.model().likelihood));
    for (std::size_t q = 0; q < background.size(); ++q) {
        double const weight = job.collected.background_weight[q];
        if (!(weight > 0)) continue;
        double const now =
            static_cast<double>(background[q]) - by * job.collected.background[q] / weight;
        background[q] = static_cast<Real>(std::max(now, 0.0));
    }
}

template void step_descan(Job<float>&);
template void step_descan(Job<double>&);
template void step_background(Job<float>&);
template void step_background(Job<double>&);

}  // namespace sluice::ptycho

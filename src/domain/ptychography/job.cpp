// A group's gradients, with a guard against values that are not finite.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/job.h"

#include <fmt/format.h>

#include <numeric>

#include "base/run.h"
#include "domain/ptychography/group_sums.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

Error no_numbers(index pattern, index iteration) {
    return {Code::invalid_argument,
            fmt::format("the reconstruction became NaN or infinite (pattern {} in iteration {} was "
                        "the first) take smaller steps or smaller groups, and check the units "
                        "of the positions",
                        pattern, iteration)};
}

template <class Real>
Result<Errors> Job<Real>::run(std::span<index const> patterns_of_group) {
    std::vector<index> const here = share.own(patterns_of_group);
    // Group sizes differ by one pattern: rooms are kept, so that no group takes memory again.
    for (auto& more :
         reserve(step.model(), state, std::max<index>(std::ssize(here) - std::ssize(gradients), 0)))
        gradients.push_back(std::move(more));
    step.gradients(state, here, wanted(), std::span(gradients).first(here.size()), threads);
    return take(patterns_of_group);
}

template <class Real>
Result<Errors> Job<Real>::run_sums(std::span<index const> patterns_of_group) {
    if (state.varies()) return run_and_sum(patterns_of_group);
    std::vector<index> const here = share.own(patterns_of_group);
    if (gradients.size() < here.size()) {
        gradients.resize(here.size());
        for (auto& of_pattern : gradients) reserve_background(of_pattern, state);
    }
    if (sums.object.empty()) sums = reserve_sums(step.model(), state);
    step.add_gradients(state, here, wanted(), std::span(gradients).first(here.size()), sums,
                       threads);
    SLUICE_TRY(Errors const errors, take(patterns_of_group));
    std::span<Planar<Real>> const objects = sums.object, probes = sums.probe;
    sum_planes<Real>(share, places, window(), moves_object() ? objects : objects.first(0),
                     moves_probe() ? probes : probes.first(0));
    return errors;
}

template <class Real>
Result<Errors> Job<Real>::run_and_sum(std::span<index const> patterns_of_group) {
    SLUICE_TRY(Errors const errors, run(patterns_of_group));
    if (sums.object.empty()) sums = reserve_sums(step.model(), state);
    for (std::size_t s = 0; s < sums.object.size(); ++s)
        each_shared_row<Real>(
            share, places, window(), canvas(), 2, 0, threads,
            [&](index w, index r, Real* const* to) { add_object_row(*this, w, s, r, to); },
            [&](index y, index first, index last, Real* const* rows_of) {
                std::copy(rows_of[0] + first, rows_of[0] + last, sums.object[s].re(y) + first);
                std::copy(rows_of[1] + first, rows_of[1] + last, sums.object[s].im(y) + first);
            });
    for (std::size_t k = 0; k < sums.probe.size(); ++k)
        sum_probe_gradients(*this, k, sums.probe[k]);
    return errors;
}

template <class Real>
Wanted Job<Real>::wanted() const {
    return {.position = stage.refine_positions,
            .descan = stage.refine_descan,
            .slice_and_tilt = stage.refine_slice_distance || stage.refine_tilt,
            .slopes = weighs_residuals(stage)};
}

// A pattern's counts without the background.
template <class Real>
double Job<Real>::wave_power() const {
    double power = mean_power;
    for (Real b : state.background) power -= static_cast<double>(b);
    return std::max(power, 0.01 * mean_power);
}

// The sums of single patterns, in the order of the group.
template <class Real>
Result<Errors> Job<Real>::take(std::span<index const> patterns_of_group) {
    group.assign(patterns_of_group.begin(), patterns_of_group.end());
    places.clear();
    own.clear();
    object_peak = 0;
    Errors sum;
    Status status;
    index found = 0;
    for (index const j : group) {
        auto const at = static_cast<std::size_t>(j);
        places.push_back(place_of(state.positions[at], step.model().sub_pixel));
        own.push_back(share.has(j) ? found++ : -1);
        Gradients<Real> const* const mine = gradients_of(std::ssize(own) - 1);
        if (!mine) continue;
        collected.add(at, *mine);
        object_peak = std::max(object_peak, mine->object_peak);
        sum += mine->errors;
        if (status && !mine->errors.finite()) status = no_numbers(j, iteration);
    }
    if (status) status = advance(std::ssize(group));
    SLUICE_CHECK(share.meet(status, sum, object_peak));
    return sum;
}

// This rank collected nothing for patterns of other ranks.
template <class Real>
void Job<Real>::gather() {
    if (share.alone()) return;
    for (auto* const of_pattern : {&collected.position, &collected.descan})
        share.sum(std::span(of_pattern->front().data(), 2 * of_pattern->size()));
    for (auto* const sums :
         {&collected.counts, &collected.background, &collected.background_weight})
        if (!sums->empty()) share.sum(std::span(*sums));
    for (double* const one :
         {&collected.slice, &collected.slice_reach, &collected.tilt[0], &collected.tilt[1],
          &collected.tilt_reach[0], &collected.tilt_reach[1]})
        share.sum(std::span(one, 1));
}

template <class Real>
Line Job<Real>::line(State<Real> const& way) const {
    std::vector<index> here(static_cast<std::size_t>(share.count()));
    std::iota(here.begin(), here.end(), share.first());
    std::vector<Line> lines(here.size());
    step.lines(state, way, here, lines, threads);
    double sums[2] = {};
    for (Line const& line : lines) {
        sums[0] += line.slope;
        sums[1] += line.curvature;
    }
    share.sum(std::span<double>(sums));
    return {sums[0], sums[1]};
}

template <class Real>
Status Job<Real>::advance(index patterns_done) {
    done += static_cast<std::uint64_t>(patterns_done);
    return tell_progress(progress, done, all);
}

template struct Job<float>;
template struct Job<double>;

}  // namespace sluice::ptycho

// A group's gradients, with a guard against numbers that are none.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/job.h"

#include <fmt/format.h>

#include <numeric>

namespace sluice::ptycho {

template <class Real>
Result<Errors> Job<Real>::run(std::span<index const> group) {
    std::vector<index> const here = share.own(group);
    if (gradients.size() < here.size()) gradients = reserve(step.model(), state, std::ssize(here));
    step.gradients(state, here, {.position = stage.refine_positions},
                   std::span(gradients).first(here.size()), threads);
    return take(group);
}

template <class Real>
Result<Errors> Job<Real>::run_sums(std::span<index const> group) {
    std::vector<index> const here = share.own(group);
    if (gradients.size() < here.size()) {
        gradients.resize(here.size());
        for (auto& of_pattern : gradients) of_pattern.background.resize(state.background.size());
    }
    if (sums.object.empty()) sums = reserve_sums(step.model(), state);
    step.add_gradients(state, here, {.position = stage.refine_positions},
                       std::span(gradients).first(here.size()), sums, threads);
    SLUICE_TRY(Errors const errors, take(group));
    std::span<Planar<Real>> const objects = sums.object, probes = sums.probe;
    sum_planes<Real>(share, places, window(), moves_object() ? objects : objects.first(0),
                     moves_probe() ? probes : probes.first(0));
    return errors;
}

// What single patterns gave, in the order of the group.
template <class Real>
Result<Errors> Job<Real>::take(std::span<index const> group) {
    bool const positions = stage.refine_positions;
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
        if (positions) position_gradients[at] = mine->position;
        object_peak = std::max(object_peak, mine->object_peak);
        sum += mine->errors;
        if (status && !mine->errors.finite())
            status = Error{Code::invalid_argument,
                           fmt::format("the reconstruction holds no numbers any more (pattern {} "
                                       "in iteration {} was the first) take smaller steps or "
                                       "smaller groups, and check the units of the positions",
                                       j, iteration)};
    }
    if (status) status = advance(std::ssize(group));
    SLUICE_CHECK(share.meet(status, sum, object_peak));
    return sum;
}

template <class Real>
void Job<Real>::gather_position_gradients() {
    if (share.alone()) return;
    for (index j = 0; j < patterns; ++j)
        if (!share.has(j)) position_gradients[static_cast<std::size_t>(j)] = {};
    share.sum(std::span(position_gradients.front().data(), 2 * position_gradients.size()));
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
    if (progress && !progress(done, all))
        return Error{Code::cancelled, "the reconstruction was stopped"};
    return {};
}

index group_of(PtychographyStage const& stage, index patterns) {
    using S = PtychographyStage::Solver;
    if (stage.group > 0) return std::min(stage.group, patterns);
    bool const pie = stage.solver == S::epie || stage.solver == S::rpie || stage.solver == S::mpie;
    return std::max<index>(1, patterns / (pie ? 50 : 5));
}

template struct Job<float>;
template struct Job<double>;

}  // namespace sluice::ptycho

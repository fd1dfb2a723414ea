// A group's gradients, with a guard against numbers that are none.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/job.h"

#include <fmt/format.h>

namespace sluice::ptycho {

template <class Real>
Result<Errors> Job<Real>::run(std::span<index const> group) {
    if (gradients.size() < group.size())
        gradients = reserve(step.model(), state, std::ssize(group));
    step.gradients(state, group, {.position = stage.refine_positions},
                   std::span(gradients).first(group.size()), threads);
    return take(group);
}

template <class Real>
Result<Errors> Job<Real>::run_sums(std::span<index const> group) {
    if (gradients.size() < group.size()) {
        gradients.resize(group.size());
        for (auto& of_pattern : gradients) of_pattern.background.resize(state.background.size());
    }
    if (sums.object.empty()) sums = reserve_sums(step.model(), state);
    step.add_gradients(state, group, {.position = stage.refine_positions},
                       std::span(gradients).first(group.size()), sums, threads);
    return take(group);
}

// What single patterns gave, in the order of the group.
template <class Real>
Result<Errors> Job<Real>::take(std::span<index const> group) {
    bool const positions = stage.refine_positions;
    places.clear();
    Errors sum;
    for (std::size_t i = 0; i < group.size(); ++i) {
        auto const j = static_cast<std::size_t>(group[i]);
        places.push_back(place_of(state.positions[j], step.model().sub_pixel));
        if (positions) position_gradients[j] = gradients[i].position;
        sum += gradients[i].errors;
        if (!gradients[i].errors.finite())
            return Error{Code::invalid_argument,
                         fmt::format("the reconstruction holds no numbers any more (pattern {} in "
                                     "iteration {} was the first) take smaller steps or smaller "
                                     "groups, and check the units of the positions",
                                     j, iteration)};
    }
    SLUICE_CHECK(advance(std::ssize(group)));
    return sum;
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

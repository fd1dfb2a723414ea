// Job: what solvers, refinement and constraints work on: the state, the step, the stage, and room
// for a group's answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "domain/ptychography/archive.h"
#include "domain/ptychography/overlap.h"
#include "domain/ptychography/refine/collected.h"
#include "domain/ptychography/row_loops.h"
#include "domain/ptychography/shared_overlap.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

using stem4d::PtychographyStage;

template <class Real>
struct Job {
    State<Real>& state;
    PatternStep<Real>& step;
    PtychographyStage const& stage;
    Share const& share;
    RowLoops<Real> const& rows;
    index patterns = 0;
    double mean_power = 0;  ///< counts of a pattern, mean
    double largest_power = 0;
    double counting_noise = 0;  ///< the square of the R of counting noise; 0: not known
    int threads = 1;
    std::uint64_t seed = 0;
    double length = 1;    ///< of the steps, against what the stage says
    index round = 0;      ///< of the whole reconstruction, from 0
    index iteration = 1;  ///< of the stage
    double last_r = NAN;  ///< of the iteration before this one in the stage; NaN: there was none
    /// Called after every group with the number of patterns that are done in all iterations; may be
    /// empty.
    Progress progress = {};
    std::uint64_t done = 0, all = 0;              ///< patterns
    std::vector<Gradients<Real>> gradients = {};  ///< of the group's patterns that are here
    Sums<Real> sums = {};  ///< of the group; its canvases are to be zero before the next one
    std::vector<WindowPlace> places = {};  ///< of the group's windows, on all ranks
    std::vector<index> group = {};         ///< its patterns
    std::vector<index> own = {};           ///< of each window its gradients; -1: another rank's
    double object_peak = 0;    ///< largest |object|^2 in the group's windows, of all slices
    Collected collected = {};  ///< of the iteration

    bool moves_object() const { return !stage.fix_object; }
    bool moves_probe() const { return !stage.fix_probe && iteration >= stage.probe_from; }
    index window() const { return step.model().window; }
    index slices() const { return std::ssize(state.object); }
    std::array<index, 2> canvas() const {
        return {state.object.front().rows(), state.object.front().cols()};
    }

    /// Of the group's window w; null where another rank has the pattern.
    Gradients<Real> const* gradients_of(index w) const {
        index const at = own[static_cast<std::size_t>(w)];
        return at < 0 ? nullptr : &gradients[static_cast<std::size_t>(at)];
    }
    /// The gradients of a group into `gradients`, its windows into `places`; its errors on
    /// all ranks. Fails where values of a pattern are not finite.
    Result<Errors> run(std::span<index const> patterns_of_group);
    /// The same, for solvers that look at no single pattern: object and probe go into `sums`, and
    /// `gradients` hold the rest. Where the probe varies, they hold all.
    Result<Errors> run_sums(std::span<index const> patterns_of_group);
    /// What other ranks collected, too.
    void gather();
    /// The loss of all patterns along a line, on all ranks.
    Line line(State<Real> const& way) const;
    /// Fails when the work is to stop.
    Status advance(index patterns);
    /// Counts of the mean pattern that the probe gives, and not the background.
    double wave_power() const;

  private:
    Wanted wanted() const;
    Result<Errors> take(std::span<index const> patterns_of_group);
    Result<Errors> run_and_sum(std::span<index const> patterns_of_group);
};

/// The error where values of a pattern are not finite.
Error no_numbers(index pattern, index iteration);

extern template struct Job<float>;
extern template struct Job<double>;

}  // namespace sluice::ptycho

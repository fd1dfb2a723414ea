// What computes the steps of the dense mode, and its report of each step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/run.h"
#include "domain/proton/dense/tables.h"

namespace sluice::proton::dense {

/// Of one step, by what happened; weights in parts of the state's 1.
struct Tally {
    Share before;  ///< what flew when the step began
    Share left, right, front, end, backward, angles, truncated, nuclear;
    Share stopped;        ///< its energy is what slowing down left
    double variance = 0;  ///< weight times the variance of the angle that it got
    index cells = 0;

    void add(Tally const& other);
};

/// How a step differs from the others.
struct StepKind {
    double scatter = 1;  ///< part of the step's scattering that is done
    double forward = 1;  ///< part of a path that is not out of the plane
};

class Engine {
  public:
    virtual ~Engine() = default;
    /// Asks the run. If the run stops, it ends with the
    /// run's error, and the state is half changed.
    virtual Status step(StepKind const& kind, Tally& tally, Run& asked) = 0;
    /// psi[energy][angle][plane][column].
    virtual Result<std::vector<double>> state() const = 0;
    virtual Status set_state(std::vector<double> const& psi) = 0;
    /// Replaces the first plane's line of an energy and an angle.
    virtual Status put(index energy, index angle, std::vector<double> const& columns) = 0;
    /// What flies.
    virtual Result<Share> inside() const = 0;
    /// MeV since the beginning, [angle][plane][column], where steps ended.
    virtual Result<std::vector<double>> deposit() const = 0;
    /// MeV that reactions took, [plane][column].
    virtual Result<std::vector<double>> nuclear() const = 0;
    virtual std::size_t bytes() const = 0;
};

/// All operators in one pass over the state, in place (docs/design/007).
std::unique_ptr<Engine> make_fused(Tables const& tables, DenseOptions const& options);

/// One element after the other: the reference, and what GPUs do.
Result<std::unique_ptr<Engine>> make_mapped(Tables const& tables, DenseOptions const& options);

}  // namespace sluice::proton::dense

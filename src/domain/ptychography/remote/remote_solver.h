// RemoteSolver: what a solver does with a group's sums on a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/job.h"
#include "domain/ptychography/remote/move_kernels.h"
#include "domain/ptychography/remote/remote_step.h"
#include "domain/ptychography/remote/shelf.h"

namespace sluice::ptycho::remote {

/// The formulas are those of the solvers of the same names on processors.
class RemoteSolver {
  public:
    virtual ~RemoteSolver() = default;
    /// Before the groups of an iteration.
    virtual Status begin(RemoteStep& step, Job<float> const& job) = 0;
    /// Sums a group's gradients and moves object and probe.
    virtual Status move(RemoteStep& step, Job<float> const& job, Group const& group) = 0;
    /// Shows all that one iteration leaves to the next, beside the state.
    virtual Status keep(RemoteStep&, Shelf&) { return {}; }
};

std::unique_ptr<RemoteSolver> make_remote_pie();
std::unique_ptr<RemoteSolver> make_remote_descent();
/// `moves_on`: it has momentum (solvers/pace.h).
std::unique_ptr<RemoteSolver> make_remote_lsqml(bool moves_on);
std::unique_ptr<RemoteSolver> make_remote_projections();

/// z += by * sum / divisor where a group is, for all slices of `object` and `sum`. A divisor that
/// has weights gets those of each slice: at().of_tiles, and their peak.
Status step_object(RemoteStep& step, Group const& group, Z const* sum, float by, Divisor divisor,
                   Z* object);
/// The same for all modes of the probe.
Status step_probe(RemoteStep& step, Z const* sum, float by, Divisor const& divisor, Z* probe);

}  // namespace sluice::ptycho::remote

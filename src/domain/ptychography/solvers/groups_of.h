// The groups of an iteration, as the stage wants them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/groups.h"
#include "domain/ptychography/job.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/start/start.h"

namespace sluice::ptycho {

/// On all ranks the same: positions and probe are on all.
template <class Real>
std::vector<std::vector<index>> groups_of(Job<Real> const& job) {
    index const size = group_size(job.stage, job.patterns, job.slices());
    if (job.stage.grouping == PtychographyStage::Grouping::random)
        return random_groups(job.patterns, size, job.seed, job.round);
    index reach = 0;
    for (auto const& mode : job.state.probe) reach = std::max(reach, probe_width(mode));
    return coloured_groups(job.state.positions, static_cast<double>(reach), size, job.seed,
                           job.round);
}

}  // namespace sluice::ptycho

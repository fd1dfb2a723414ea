// What `sluice proton benchmark` times: steps and beams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contestant.h"
#include "domain/proton/benchmark/grids.h"

namespace sluice::proton {

/// On one grid: a dense step, the steps of a beam from a point, and a marched beam of 70 MeV. They
/// hold what they need but `physics`.
Result<std::vector<bench::Contestant>> grid_contestants(Physics const& physics,
                                                        BenchmarkGrid const& grid,
                                                        BenchmarkRun const& run);

/// What `sluice proton run` computes for a beam of 150 MeV on its usual grid, with maps of LET.
Result<bench::Contestant> beam_contestant(Physics const& physics, BenchmarkRun const& run);

/// A dense step of a solver: bytes are the state, read and written once.
bench::Contestant step_contestant(std::shared_ptr<DenseSolver> const& solver,
                                  BenchmarkGrid const& grid, BenchmarkRun const& run);

}  // namespace sluice::proton

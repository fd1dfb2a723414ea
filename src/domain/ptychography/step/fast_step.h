// The step for squares that have kernels of their own, and a detector without a
// response.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/isa.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/step/step.h"

namespace sluice::ptycho {

/// Whether there are kernels for patterns of this size.
bool has_fast_step(index side);
/// Whether the model is one of theirs.
bool is_fast(Model const& model);

/// The patterns of a plain detector lie in the order of the passes, others row by row. The plain
/// step does all other work.
Result<std::unique_ptr<PatternStep<float>>> make_fast_step(Model const& model,
                                                           Measured const& measured, Isa isa);

}  // namespace sluice::ptycho

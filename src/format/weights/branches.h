// Which of a checkpoint's tensors are the model's: without wrappings, counters and averages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/weights.h"

namespace sluice::weights {

/// Removes what most names begin with if it is a wrapping of PyTorch, as "module.", leaves out the
/// counters of training, and chooses where a file has weights and their averages (EMA). What was
/// trained is taken, as other programs do, unless only a trainer's "online_model." has it. Names
/// stay different from each other; notes say what was done.
void choose_branch(Weights& weights);

}  // namespace sluice::weights

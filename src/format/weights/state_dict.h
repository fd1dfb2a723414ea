// The tensors of a checkpoint, whatever they are wrapped in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/pickle.h"
#include "format/weights/weights.h"

namespace sluice::weights {

/// The named tensors of a pickle. `at` has the place of each storage in the file. Says in the notes
/// of `out` what was unwrapped and left out.
Status take_tensors(Pickle const& pickle, std::vector<std::uint64_t> const& at, Weights& out);

/// An error if a name is no name or occurs twice.
Status check_names(Weights const& weights);

/// Removes what all names begin with if it is a wrapping of PyTorch, as "module.". Names stay
/// different from each other.
void strip_prefixes(Weights& weights);

}  // namespace sluice::weights

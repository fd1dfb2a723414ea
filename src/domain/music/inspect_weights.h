// inspect() of weights that are open, wherever they are from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/weights/weights.h"
#include "sluice/music.h"

namespace sluice::music {

/// `name` is for errors.
Result<Inspection> inspect_weights(weights::Weights const& weights, std::string const& name,
                                   std::optional<ModelConfig> const& config);

}  // namespace sluice::music

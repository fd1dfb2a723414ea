// Untrained weights: seeded, the same on every machine, and made when they are read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "format/weights/weights.h"
#include "sluice/music.h"

namespace sluice::music {

/// All tensors of `network` as a file that does not exist. A layer's weights are uniform within
/// +-1 / sqrt(what it adds up), a norm's near 1 and its biases near 0, so that signals neither
/// vanish nor grow from layer to layer. Shortcuts carry their channels, and what is added to them
/// is half as large: where everything is random, rounding errors double from level to level, and
/// the error of a precision could not be measured.
weights::Weights synthetic_weights(Network const& network, std::uint64_t seed);

}  // namespace sluice::music

// Windows: how much the samples of a chunk count where chunks overlap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/music_separate.h"

namespace sluice::music {

/// Positive everywhere, so that each sample which a chunk covers has a weight.
std::vector<float> window_of(Window window, index samples);

/// Ones, which rise from 0 in the first `fade` samples and fall to 0 in the last, in the arithmetic
/// of torch.linspace in float32. MSST's.
std::vector<float> faded_window(index samples, index fade);

}  // namespace sluice::music

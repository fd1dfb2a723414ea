// The slow twin of BSS Eval v4: least squares on delayed samples in the time domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/music_score.h"

namespace sluice::music {

/// Values of a stem in the window of `length` frames from `start`.
BssEval slow_window(std::span<StemPair const> stems, index channels, index stem, index start,
                    index length);

}  // namespace sluice::music

// What short-time Fourier transforms on processors and on devices share: checks and tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::audio {

/// Errors name the number that makes no sense.
Status check_stft(index n_fft, index hop, index frames, int threads);
Error no_memory_for_stft(index n_fft, index hop, index frames);

struct StftTables {
    std::vector<float> window;  ///< [n_fft]: the periodic Hann window
    std::vector<float> weight;  ///< [hop (frames - 1)] of the squared windows that overlap there
};

/// Of numbers that were checked. Error: a hop whose windows leave gaps.
Result<StftTables> stft_tables(index n_fft, index hop, index frames);

}  // namespace sluice::audio

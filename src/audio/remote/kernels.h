// Short-time Fourier transforms' own steps, as functors for devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice::audio {

/// Element = a sample of a windowed frame [frame][n_fft]; beyond its ends the sound is mirrored.
struct CutFrames {
    float const* samples;
    float const* window;
    index count, n_fft, hop;
    float* frames;

    SLUICE_HD void operator()(index i) const {
        index const frame = i / n_fft, k = i - frame * n_fft;
        index at = frame * hop + k - n_fft / 2;
        if (at < 0) at = -at;
        if (at >= count) at = 2 * (count - 1) - at;
        frames[i] = window[k] * samples[at];
    }
};

/// Element = a sample: the windowed frames that lie there, added in their order.
struct AddFrames {
    float const* frames;
    float const* window;
    float const* weight;
    index frame_count, n_fft, hop;
    float* samples;

    SLUICE_HD void operator()(index i) const {
        index const at = i + n_fft / 2;
        index const first = at < n_fft ? 0 : (at - n_fft + hop) / hop;
        float sum = 0;
        for (index f = first; f < frame_count && f * hop <= at; ++f)
            sum += window[at - f * hop] * frames[f * n_fft + at - f * hop];
        samples[i] = sum / weight[i];
    }
};

}  // namespace sluice::audio

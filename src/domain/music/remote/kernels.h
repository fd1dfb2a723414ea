// Sub-bands as functors: spectra of one sound as channels of a map, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fft/butterfly.h"

namespace sluice::music {

/// As Subbands has them. Element = a bin of a frame that is in a band.
struct PackSound {
    fft::Number<float> const* spectra;  ///< [frame][spectrum]
    index spectrum, bands, bins, channels;
    index first;  ///< channel
    float* map;   ///< [frame][bins][channels]

    SLUICE_HD void operator()(index i) const {
        index const frame = i / (bands * bins), bin = i - frame * bands * bins;
        index const b = bin / bins, f = bin - b * bins;
        float* const to = map + (frame * bins + f) * channels + first + b;
        fft::Number<float> const n = spectra[frame * spectrum + bin];
        to[0] = n.re;
        to[bands] = n.im;
    }
};

/// Element = a bin of a frame; those that are in no band become zero.
struct UnpackSound {
    float const* map;
    index spectrum, bands, bins, channels, first;
    fft::Number<float>* spectra;

    SLUICE_HD void operator()(index i) const {
        index const frame = i / spectrum, bin = i - frame * spectrum;
        index const b = bin / bins, f = bin - b * bins;
        if (b >= bands) {
            spectra[i] = {};
            return;
        }
        float const* const from = map + (frame * bins + f) * channels + first + b;
        spectra[i] = {from[0], from[bands]};
    }
};

}  // namespace sluice::music

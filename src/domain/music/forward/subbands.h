// Sub-bands: spectra of two channels as the many channels of a narrower map, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <span>

#include "nn/map.h"

namespace sluice::music {

/// The map is [frames][bins][sounds * 2 * bands] of float; a channel is one of
/// sound, real or imaginary part, band, in this order. Bin f of band b is b * bins + f of the
/// spectrum.
struct Subbands {
    index bands = 0;
    index spectrum = 0;  ///< bins of a whole spectrum: those above all bands are left out

    /// One frame of each of the sounds, [sounds][frames][spectrum].
    void pack(std::span<std::complex<float> const> spectra, nn::Map const& map, index frame) const;
    /// Bins that are in no band become zero.
    void unpack(nn::Map const& map, std::span<std::complex<float>> spectra, index frame) const;
};

}  // namespace sluice::music

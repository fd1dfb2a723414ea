// Sub-bands: frame by frame, so that threads can share the frames.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/forward/subbands.h"

#include <algorithm>

namespace sluice::music {
namespace {

using Number = std::complex<float>;

}  // namespace

void Subbands::pack(std::span<Number const> spectra, nn::Map const& map, index frame) const {
    index const sounds = map.channels / (2 * bands);
    auto* const to = reinterpret_cast<float*>(map.data) + frame * map.width * map.channels;
    for (index s = 0; s < sounds; ++s) {
        Number const* const from = spectra.data() + (s * map.height + frame) * spectrum;
        for (index b = 0; b < bands; ++b) {
            float* const real = to + 2 * s * bands + b;
            for (index f = 0; f < map.width; ++f) {
                Number const n = from[b * map.width + f];
                real[f * map.channels] = n.real();
                real[f * map.channels + bands] = n.imag();
            }
        }
    }
}

void Subbands::unpack(nn::Map const& map, std::span<Number> spectra, index frame) const {
    index const sounds = map.channels / (2 * bands);
    auto const* const from =
        reinterpret_cast<float const*>(map.data) + frame * map.width * map.channels;
    for (index s = 0; s < sounds; ++s) {
        Number* const to = spectra.data() + (s * map.height + frame) * spectrum;
        for (index b = 0; b < bands; ++b) {
            float const* const real = from + 2 * s * bands + b;
            for (index f = 0; f < map.width; ++f)
                to[b * map.width + f] = {real[f * map.channels], real[f * map.channels + bands]};
        }
        std::fill(to + bands * map.width, to + spectrum, Number());
    }
}

}  // namespace sluice::music

// Room: what a thread of the fast step works in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/planar.h"
#include "domain/ptychography/step/fast_kernels.h"

namespace sluice::ptycho {

/// Planars begin at cache lines and have no gaps where sides are multiples of 16.
struct Room {
    index side, modes;
    Planar<float> tiles;    ///< [mode]
    Planar<float> moved;    ///< the pattern's own probe where it stood, [mode] windows
    Planar<float> entries;  ///< what enters the slices behind the first, [slice][mode] windows
    Planar<float> exits;    ///< spectra of what leaves those before the last, [slice][mode]
    Planar<float> varied;   ///< a spectrum of the pattern's own probe
    Planar<float> of_object, of_probe;
    Planar<float> spectra, intensity;
    std::vector<float> factors, ramp;
    std::vector<float> pixels, counts;  ///< of a detector with bins, filled up
    bool shifted = false;  ///< the pattern lies shifted: the wave behind the object has the ramp

    Room(index mode_count, index slices, FastKernel const& kernel)
        : side(kernel.side),
          modes(mode_count),
          tiles(modes, kernel.tile_floats / 2),
          moved(modes * side, side),
          entries((slices - 1) * modes * side, side),
          varied(1, side * side),
          of_object(side, side),
          of_probe(side, side),
          spectra(1, side * side),
          intensity(1, side * side),
          factors(static_cast<std::size_t>(4 * side)),
          ramp(factors.size()) {}
    float const* ramp_if_shifted() const { return shifted ? ramp.data() : nullptr; }

    float* tile(index k) { return tiles.re(k); }
    /// Of slices 1, 2, ...
    float* entry(index slice, index k) { return entries.re(((slice - 1) * modes + k) * side); }
    float* exit(index slice, index k) {
        if (exits.rows() == 0) exits = Planar<float>(entries.rows() / side, side * side);
        return exits.re(slice * modes + k);
    }
};

}  // namespace sluice::ptycho

// What the fast step works in, and from, along a line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/ptychography/state.h"
#include "domain/ptychography/step/fast_kernels.h"

namespace sluice::ptycho {

/// Where a line begins and where it goes, and the spectra of both probes in the order of the
/// passes; none where positions are whole pixels.
struct Ends {
    State<float> const &state, &way;
    std::vector<Planar<float>> const &spectra, &way_spectra;
};

/// A thread's memory, for what is constant, linear and quadratic in t.
struct LineRoom {
    index side;
    Planar<float> tiles, probes, waves, powers;
    std::vector<float> factors, ramp;

    explicit LineRoom(FastKernel const& kernel)
        : side(kernel.side),
          tiles(3, kernel.tile_floats / 2),
          probes(2 * side, side),
          waves(3 * side, side),
          powers(3, side * side / 2),
          factors(static_cast<std::size_t>(4 * side)),
          ramp(factors.size()) {}

    float* tile(index i) { return tiles.re(i); }
    float* probe(index i) { return probes.re(i * side); }
    float* wave(index i) { return waves.re(i * side); }
    float* power(index i) { return powers.re(i); }
};

}  // namespace sluice::ptycho

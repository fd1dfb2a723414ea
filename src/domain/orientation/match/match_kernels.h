// The search of zones and azimuths, sixteen patterns at a time, for each instruction set.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/isa.h"
#include "domain/orientation/match/polar.h"

namespace sluice::orient {

/// Places in 1/ångström, x along columns and y along rows.
struct Spots {
    float const *x, *y, *weight;
    index count;
};

/// The best azimuths of a zone, [sector][0: the pattern, 1: its mirror image][pattern]. A pattern
/// is the zone's, turned by azimuth / azimuths of a turn from x to y. The mirror image has y
/// negated: the pattern is the zone's mirror image, turned.
struct alignas(64) ZoneBest {
    float value[sectors][2][lanes_of_patterns];  ///< -1 to 1
    std::int32_t azimuth[sectors][2][lanes_of_patterns];
};

/// A tile of zones against the lanes of patterns.
struct SearchJob {
    PolarView polar;
    float const* zones;     ///< [term][zone][re, im]
    float const* patterns;  ///< [term][re, im][pattern]
    float* room;            ///< search_room_floats, from the begin of a cache line
    ZoneBest* best;         ///< [zone]
};
inline constexpr index search_room_floats = zones_of_tile * (azimuths * 32 + 64);

struct MatchKernels {
    /// The spectrum of spots, of length 1: sum of weight exp(-i f azimuth) and the rings'
    /// Gaussians. Returns the length that it had; 0: there is no spot on the rings. `room`:
    /// rings * 2 * most_frequencies floats. `out`: Polar::spectrum_floats().
    float (*spectrum)(PolarView const& polar, Spots const& spots, float* room, float* out);
    /// Sixteen spectra of `floats` numbers side by side: out[float][pattern].
    void (*interleave)(float const* const* spectra, index floats, float* out);
    void (*search)(SearchJob const& job);
};

MatchKernels const& match_kernels(Isa isa);
/// In double, by plain sums over frequencies for each azimuth.
MatchKernels const& match_twin();

namespace baseline {
MatchKernels match_kernels();
}
namespace avx2 {
MatchKernels match_kernels();
}
namespace avx512 {
MatchKernels match_kernels();
}

}  // namespace sluice::orient

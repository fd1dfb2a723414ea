// What a library holds: phases, zones, and their spectra in tiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/probe/aligned_floats.h"
#include "domain/orientation/library/reflection_table.h"
#include "domain/orientation/match/match_kernels.h"
#include "sluice/orientation_library.h"

namespace sluice::orient {

/// Zones near each other, in consecutive tiles; the last tile may have zones of zeros.
struct Cell {
    index phase, first_zone, zones, first_tile;

    index tiles() const { return (zones + zones_of_tile - 1) / zones_of_tile; }
};

/// What a spot at (x, y) weighs in a match.
inline double weight_of(stem4d::LibraryOptions const& o, double x, double y, double intensity) {
    return std::pow(std::hypot(x, y), o.radius_power) * std::pow(intensity, o.intensity_power);
}

}  // namespace sluice::orient

namespace sluice::stem4d {

struct OrientationLibrary::State {
    LibraryOptions options;
    orient::Ewald ewald;
    orient::Polar polar;
    std::vector<CrystalPhase> phases = {};
    std::vector<orient::ReflectionTable> tables = {};  ///< [phase]
    std::vector<orient::Heights> heights = {};         ///< [phase]
    std::vector<Orientation> zones = {};               ///< [zone] at azimuth 0
    std::vector<index> phase_of = {};                  ///< [zone]
    std::vector<orient::Cell> cells = {};
    /// [tile][term][zone][re, im]; of `coarse`, zone n is the first of cell n.
    crystal::AlignedFloats fine = {}, coarse = {};
    double build_seconds = 0;
    std::vector<std::string> notes = {};

    index tile_floats() const { return 2 * polar.terms() * orient::zones_of_tile; }
    index coarse_tiles() const {
        return (std::ssize(cells) + orient::zones_of_tile - 1) / orient::zones_of_tile;
    }
    std::uint64_t bytes() const;
    /// Replaces `out` by what a phase shows.
    void excite(index phase, Orientation const& g, orient::Excited& out) const;
};

}  // namespace sluice::stem4d

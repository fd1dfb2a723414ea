// Differences: where the disks of each pattern lie about each other, summed over a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sluice/lattice.h"

namespace sluice::crystal {

/// A map of the differences between disks of one pattern. It does not depend on where the origin of
/// a pattern lies, nor on whether a disk stands there, and in one pattern there is mostly one
/// grain.
struct Differences {
    double spacing = 0;  ///< px, between disks and their neighbours: about the shortest vector
    double cell = 0;     ///< px, of a cell of the map
    index half = 0;      ///< cells from the middle to an edge
    std::vector<double> cells = {};  ///< [2 half + 1][2 half + 1]; a difference and its opposite
    index pairs = 0;                 ///< that lie on the map, each once

    index side() const { return 2 * half + 1; }
    double at(index row, index col) const {
        return cells[static_cast<std::size_t>((row + half) * side() + col + half)];
    }
};

/// Of four million pairs at most, from patterns evenly over the scan. Without pairs it is empty.
Differences differences_of(stem4d::BraggVectors const& vectors);

/// A maximum of the smoothed map.
struct MapPeak {
    stem4d::Point at;  ///< px
    double height = 0;
};
/// One of each pair of opposites, the highest first.
std::vector<MapPeak> peaks_of(Differences const& differences);

}  // namespace sluice::crystal

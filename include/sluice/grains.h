// Grains: the lattices of all crystals of a scan, and strain of each from its own reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/strain.h"

namespace sluice::stem4d {

struct GrainOptions {
    index most_bases = 16;     ///< that are looked for, one after the other
    double least_turn = 2;     ///< degrees without a lattice between two grains
    index least_patterns = 2;  ///< that a basis must fit
    LatticeOptions lattice = {};
};
struct Grain {
    LatticeBasis basis;  ///< median of its patterns
    index patterns = 0;
    /// Degrees by which its lattice is turned from that of the first grain, positive from row to
    /// column, the least of all that symmetry allows; NaN: it is another lattice.
    double disorientation = 0;
};
struct GrainFit {
    LatticeFit fit;             ///< each pattern by the basis that is least turned from it
    std::vector<Grain> grains;  ///< most patterns first
    std::vector<index> grain;   ///< [pattern] in `grains`; -1: none, LatticeFit::reason says why
    std::vector<std::string> notes;
};
/// Lattices are found in turn, in the patterns that those before do not explain, and fitted to all
/// patterns. `first`: where to begin; without, find_basis(). Errors: those of find_basis() for the
/// first lattice, and of fit_lattice().
Result<GrainFit> fit_grains(BraggVectors const& vectors,
                            std::optional<LatticeBasis> const& first = {},
                            GrainOptions const& options = {}, Options const& run = {});

struct GrainMaps {
    StrainMaps strain;       ///< each grain from the median of its patterns
    ScanMap grain;           ///< from 1 on
    ScanMap disorientation;  ///< of each pattern from the first grain, in degrees
};
/// Errors: those of strain(), and a reference or a region, since each grain has its own.
Result<GrainMaps> grain_strain(GrainFit const& fit, StrainOptions const& options = {});

}  // namespace sluice::stem4d

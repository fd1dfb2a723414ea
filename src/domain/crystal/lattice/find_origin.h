// Where a lattice of known vectors lies in the patterns of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/lattice.h"

namespace sluice::crystal {

/// A lattice point that the patterns' brightest disks lie about: where the central beam is the
/// brightest, its usual place, and else the lattice point nearest to the middle of the intensity.
stem4d::Point find_origin(stem4d::BraggVectors const& vectors, stem4d::LatticeBasis const& basis);

}  // namespace sluice::crystal

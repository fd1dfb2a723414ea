// How near the disks of patterns are to each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "domain/crystal/detect/found.h"

namespace sluice::crystal {

/// The distance to the nearest neighbour that one disk in twenty falls short of; empty where fewer
/// than ten disks have one.
std::optional<double> neighbour_distance(std::span<FoundPattern const> patterns);

/// How far apart neighbouring disks of a scan are, in pixels of the detector: what is larger of
/// neighbour_distance() and the shorter vector of their lattice, if they have one. Fragments of
/// disks with fringes are near each other, and grains make lattices that are finer than each.
std::optional<double> pitch_of(std::span<FoundPattern const> patterns,
                               std::optional<stem4d::LatticeBasis> const& basis, double bin);

}  // namespace sluice::crystal

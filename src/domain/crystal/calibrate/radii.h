// Distances of disks from their pattern's origin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

inline constexpr double radius_bin = 0.25;  ///< px, of histograms

/// px, of all disks of a scan.
std::vector<double> radii_of(stem4d::BraggVectors const& vectors, stem4d::OriginFit const& origins);
/// Bin i is from i to i + 1 times radius_bin.
std::vector<double> histogram_of(std::vector<double> const& radii);

}  // namespace sluice::crystal

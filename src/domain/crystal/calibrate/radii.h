// Distances of disks from their pattern's origin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

inline constexpr double radius_bin = 0.25;  ///< px, of histograms

struct Polar {
    double radius = 0, cos2 = 0, sin2 = 0;  ///< px; of twice the angle from the row axis
};
/// Of all disks of a scan.
std::vector<Polar> polar_of(stem4d::BraggVectors const& vectors, stem4d::OriginFit const& origins);
/// The radius once a distortion is corrected, to first order.
double corrected(Polar const& p, stem4d::Distortion const& distortion);
/// Bin i is from i to i + 1 times radius_bin; empty ones follow the last.
std::vector<double> histogram_of(std::vector<Polar> const& disks,
                                 stem4d::Distortion const& distortion);

}  // namespace sluice::crystal

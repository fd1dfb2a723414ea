// Rings of disks that an ellipse makes of circles: all rings have the same one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

/// A disk on a ring, about its origin.
struct RingDisk {
    double row = 0, col = 0;                           ///< px
    double var_row = 0, var_col = 0, cov_row_col = 0;  ///< NaN: not known
    std::size_t ring = 0;
};
struct RingFit {
    stem4d::Distortion distortion;
    /// [ring] logarithms of the radii; or one number, the logarithm of the scale, where the radii
    /// are known but for it.
    std::vector<double> logs, log_variances;
    index used = 0, left_out = 0;
    double sigma_sys = 0;         ///< px
    std::vector<double> weights;  ///< [disk] 0: left out
};
/// `known` are radii in any unit, whose common scale is fitted; empty: `rings` radii are fitted.
/// Weighted by Tukey. Errors: too few disks, or directions.
Result<RingFit> fit_rings(std::span<RingDisk const> disks, std::size_t rings,
                          std::span<double const> known, stem4d::DistortionModel model);

/// The disks between two radii about their pattern's origin; places are not corrected.
std::vector<RingDisk> disks_on(stem4d::BraggVectors const& vectors,
                               stem4d::OriginFit const& origins, stem4d::FoundRings const& rings);

}  // namespace sluice::crystal

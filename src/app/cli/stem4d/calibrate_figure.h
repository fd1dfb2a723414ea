// Draws a calibration: origins over the scan, and disks by their distance from the origin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "figure/figure.h"
#include "sluice/crystal_calibration.h"

namespace sluice::cli {

Result<figure::Drawing> draw_calibration(stem4d::BraggVectors const& vectors,
                                         stem4d::Calibrated const& made,
                                         std::string const& heading);

}  // namespace sluice::cli

// Whether what a caller gives together belongs together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/crystal_calibration.h"

namespace sluice::crystal {

Status check_origin_fit(stem4d::OriginFit const& origins);
/// The surface is one of the scan that the vectors are of.
Status check_pair(stem4d::BraggVectors const& vectors, stem4d::OriginFit const& origins);
Status check_size_options(stem4d::SizeOptions const& options);

/// What a pixel size says of the one that is stated.
void add_stated(double stated, double found, double error, std::vector<std::string>& notes);
/// What a distortion is, and whether it is more than its error.
std::string describe(stem4d::Distortion const& distortion, stem4d::DistortionModel model);

}  // namespace sluice::crystal

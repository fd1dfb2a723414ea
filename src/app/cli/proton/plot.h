// The picture of a depth dose, and another one beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/drawing.h"
#include "sluice/proton.h"

namespace sluice::cli {

/// Another depth dose, in the unit of ours: scaled to the same integral over the depths both have.
struct Reference {
    std::string name;
    proton::DepthCurve curve;
    double factor = 1;          ///< that its numbers were multiplied with
    double worst = 0, rms = 0;  ///< difference, as part of ours at its highest
    proton::BraggMetrics metrics;
};

/// A curve that read_curve reads, scaled to ours.
Result<Reference> read_reference(std::string const& path, proton::DepthCurve const& ours);

/// Dose per proton, the difference if there is a reference, the lateral sigma and LET over the
/// depth.
figure::Drawing depth_picture(proton::DepthCurve const& curve, proton::MarchResult const& result,
                              std::optional<Reference> const& reference, std::string const& title);

}  // namespace sluice::cli

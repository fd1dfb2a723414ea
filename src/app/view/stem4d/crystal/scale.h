// What a detector pixel is in 1/ångström, and where the direct beam lies, of the disks of a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/stem4d/crystal/known_crystals.h"
#include "app/view/stem4d/crystal/orientation_request.h"
#include "sluice/stem4d.h"

namespace sluice::app {

/// The voltage of the request, else that of the files. Errors: none is known.
Result<double> kilovolts_of(OrientationRequest const& request, Scan const& scan);
/// Of the request's crystals, all if it names none. Errors: none is known, no such number.
Result<std::vector<stem4d::UnitCell>> cells_of(OrientationRequest const& request,
                                               KnownCrystals const& known);

struct FoundScale {
    stem4d::Calibration calibration;
    ScaleBy by = ScaleBy::step;
};
/// Errors: nothing tells the size of a pixel; those of calibrate().
Result<FoundScale> scale_of(OrientationRequest const& request, KnownCrystals const& known,
                            Scan const& scan, stem4d::BraggVectors const& vectors,
                            stem4d::Options const& run);

}  // namespace sluice::app

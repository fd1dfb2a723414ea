// Where a beam comes into the image.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/proton/cube/plan_sheets.h"

namespace sluice::proton::cube {

/// Fails where tissue lies before the grid of a beam, inside of its range shifter or nozzle; a
/// guard where protons come in through tissue at the image's edge. Sheets learn how far behind
/// their range shifters tissue begins.
Status entrance(Patient const& patient, IonBeam const& beam, PreparedBeam& prepared,
                std::vector<Guard>& guards);

}  // namespace sluice::proton::cube

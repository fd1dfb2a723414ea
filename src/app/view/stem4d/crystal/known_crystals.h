// KnownCrystals: what the command line said of the crystals in scans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/crystal_calibration.h"

namespace sluice::app {

/// Only files that the command line names are read: pages name crystals by their number.
struct KnownCrystals {
    std::vector<stem4d::UnitCell> cells;
    std::vector<std::string> files;  ///< of each
    std::optional<stem4d::Calibration> calibration = {};
};

}  // namespace sluice::app

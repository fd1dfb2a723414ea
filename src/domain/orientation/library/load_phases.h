// Crystals of a library out of CIFs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sluice/unit_cell.h"

namespace sluice::orient {

struct LoadedPhases {
    std::vector<stem4d::UnitCell> cells;  ///< each with a name of its own
    std::vector<std::string> notes;       ///< of files, with their names
};
/// Errors: those of load_cif(), a crystal without atoms that can be used.
Result<LoadedPhases> load_phases(std::span<std::string const> files);

}  // namespace sluice::orient

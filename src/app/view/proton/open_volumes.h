// Opens the volumes and structures at paths: files, and folders that `sluice proton` wrote.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/view/proton/shown_structure.h"
#include "app/view/proton/shown_volume.h"

namespace sluice::app {

/// The grid of a run, as its report tells it.
struct RunGrid {
    index planes = 0, columns = 0;
    double dz = 0, dx = 0, x0 = 0;  ///< mm; x0 is the edge of the first column
};
/// Of a folder that `sluice proton run` wrote.
Result<RunGrid> read_run_grid(std::string const& folder);
/// The dose, LET, predicted error and doses of beams in a folder of `sluice proton dose`, each in
/// one of its formats.
std::vector<std::string> files_of_plan_dose(std::string const& folder);

struct Opened {
    std::vector<ShownVolume> volumes;
    std::vector<ShownStructure> structures;
};
/// Loads them, with no more memory than `most_bytes` in all; 0: as much as can be spared. What
/// cannot be opened or shown leaves a line in `notes`.
Opened open_volumes(std::vector<std::string> const& paths, std::uint64_t most_bytes,
                    std::vector<std::string>& notes);

}  // namespace sluice::app

// Running a configuration: its beams marched, added up, and turned into a dose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/proton_config.h"
#include "sluice/proton_guards.h"
#include "sluice/view.h"

namespace sluice::proton {

/// One beam, in the mode that the configuration has: marched in depth, or dense.
Result<MarchResult> march_beam(Config const& config, Physics const& physics, Beam const& beam,
                               MarchOptions const& options);

/// All beams of a configuration, one after the other, and what they leave together, with the maps
/// of LET. `threads` 0: one per processor. Progress is in planes of all beams. `trace`: made for
/// one worker, the steps of the thread that marches.
Result<MarchResult> march_beams(Config const& config, int threads = 0,
                                Progress const& progress = {}, Trace* trace = nullptr);

/// Adds another beam's result on the same grid, all that depth curves and pictures are made of.
void add(MarchResult& to, MarchResult const& other);

/// [plane][column] in Gy mm a proton: divide by the thickness along y in mm. 0 where nothing is.
/// `protons`: how many the result is of, by weight.
Array<float> dose_of(Config const& config, MarchResult const& result, double protons);

/// What a reader of the results has to know: tables, models, what is left out.
std::vector<std::string> assumptions(Config const& config);
/// The sentences of guards that are more than a note.
std::vector<std::string> warnings(std::vector<Guard> const& guards);

}  // namespace sluice::proton

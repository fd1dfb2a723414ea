// Batches: each beam of a list or sweep marched on its own, into a folder that goes on where it was
// stopped.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sluice/progress.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

struct BatchOptions {
    Precision precision = Precision::f32;  ///< of the state
    bool dose = false;    ///< also write the dose of each beam, [plane][column], Gy mm a proton
    bool anyway = false;  ///< march beams that are refused because their dose would be wrong
    bool force = false;   ///< begin anew, whatever the folder has
    int threads = 0;      ///< 0: one per processor
    /// Counts planes of all beams. Its no stops the batch, which the same call goes on with later.
    Progress progress = {};
};

/// What a batch did, and what its folder has.
struct BatchReport {
    index beams = 0;    ///< of the configuration
    index marched = 0;  ///< by this call
    index before = 0;   ///< that earlier calls had done
    index warned = 0;   ///< beams with warnings
    double seconds = 0;
    std::vector<std::string> assumed = {};  ///< what a reader of the results has to know
    /// The lines of library.csv with the guards of each beam: a list of objects in JSON.
    std::string library = {};
};

/// Marches each beam of a TOML file on its own. The folder gets NNN.csv of each beam (its depth
/// dose), library.csv with a line for each, and state.json, which says what is done: a beam is done
/// once. Errors: another process marches into the folder, it belongs to another configuration, a
/// dose would be wrong, or the caller stopped it.
Result<BatchReport> batch(std::string const& config_path, std::string const& folder,
                          BatchOptions const& options = {});

}  // namespace sluice::proton

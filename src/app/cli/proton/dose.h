// Doses in the formats that the command line asks for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/proton/report.h"

namespace sluice::cli {

/// The names of the formats: npy, mhd, mha, nrrd.
std::vector<std::string> const& dose_formats();

/// How a dose is written.
struct DoseFiles {
    std::vector<std::string> formats;
    std::string warned;  ///< what headers say of guards, if anything
};

/// Writes `folder`/dose.* in each format: Gy mm a proton, x first and depth second, in mm of the
/// phantom. Returns the files' names.
Result<std::vector<std::string>> save_dose(std::string const& folder, DoseFiles const& how,
                                           proton::Config const& config,
                                           proton::MarchResult const& result, double protons,
                                           Provenance const& provenance);

}  // namespace sluice::cli

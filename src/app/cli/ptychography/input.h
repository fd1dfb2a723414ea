// What is reconstructed: the scans of a series, or a file of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/ptychography/options.h"
#include "app/cli/shell/ranks.h"

namespace sluice::cli {

/// [frame][row, col] of an .npy file, in pixels of the object.
Result<std::vector<stem4d::Position>> read_positions(std::string const& file);

/// Reconstructs all that was given, one after the other, into the report and the images.
Result<JobReport> reconstruct_all(PtychographyCommand& c, Ranks& ranks,
                                  std::vector<ResultImage>& images);

}  // namespace sluice::cli

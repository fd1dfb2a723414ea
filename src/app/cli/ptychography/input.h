// What is reconstructed: the scans of a series, or a file of patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/ptychography/options.h"
#include "app/cli/shell/ranks.h"

namespace sluice::cli {

/// [frame][row, col] of an .npy file, in pixels of the object.
Result<std::vector<stem4d::Position>> read_positions(std::string const& file);

/// One scan of a series: `options` have its disk, or it is measured.
Status reconstruct_scan(PtychographyCommand& c, Scan const& scan, stem4d::Options const& options,
                        Ranks& ranks, index member, JobReport& report,
                        std::vector<ResultImage>& images);

/// Reconstructs all that was given, one after the other, into the report and the images.
Result<JobReport> reconstruct_all(PtychographyCommand& c, Ranks& ranks,
                                  std::vector<ResultImage>& images);

}  // namespace sluice::cli

// One set of patterns: reconstructs it, searches with it, or plans what it would take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/ptychography/options.h"
#include "app/cli/shell/ranks.h"

namespace sluice::cli {

/// Where a set of patterns comes from.
struct PatternsOrigin {
    Scan const* scan;  ///< null: a file of patterns
    Device const& device;
    Provenance const& provenance;
    index member = 0;  ///< of the series
};

/// Does with the patterns what the command line asks for, into the report and the images.
Status reconstruct(PtychographyCommand& c, stem4d::Patterns patterns, PatternsOrigin const& origin,
                   Ranks& ranks, JobReport& report, std::vector<ResultImage>& images);

}  // namespace sluice::cli

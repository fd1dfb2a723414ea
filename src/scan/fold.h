// fold(): runs an analysis over the units of a scan, from memory or straight from the files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/fold_part.h"
#include "scan/scan_units.h"

namespace sluice::fold {

/// Says how many bytes of how many are read; says nothing of a scan in memory.
RunOptions run_options(Scan const& scan, FoldOptions const& options);

template <AnalysisOf<ScanUnits> A>
Result<typename A::Result> fold(Scan const& scan, A const& analysis, FoldOptions const& options) {
    return fold(ScanUnits(scan, options), analysis, run_options(scan, options));
}

}  // namespace sluice::fold

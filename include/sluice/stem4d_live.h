// analyze_live(): an analysis while the scan is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/stem4d_analyze.h"

namespace sluice::stem4d {

/// analyze() of a scan whose frames still come: it ends when its feed does, and has the bits of
/// analyze() on the same frames, as a scan of files that lack the frames that did not come. What
/// samples tell is decided before: `decided` has the disk where a detector needs one. On
/// processors.
Result<Analyzed> analyze_live(Scan& scan, AnalysisPlan const& plan, Decided const& decided,
                              Options const& options = {});

}  // namespace sluice::stem4d

// How a fold over a scan runs.
// SPDX-License-Identifier: Apache-2.0
#include "scan/fold.h"

namespace sluice::fold {

RunOptions run_options(Scan const& scan, FoldOptions const& options) {
    RunOptions run{.threads = options.device.threads(), .trace = options.trace};
    if (!options.progress || scan.resident()) return run;
    run.progress = [&scan, progress = options.progress](index units) {
        store::Plan const& plan = scan.plan();
        return progress(plan.bytes_to_read(scan.dataset(), units),
                        plan.bytes_to_read(scan.dataset(), plan.tiles()));
    };
    return run;
}

}  // namespace sluice::fold

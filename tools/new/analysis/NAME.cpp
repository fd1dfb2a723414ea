// @Name@: its sums, and its way through a scan.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/@name@/@name@.h"

#include "scan/fold.h"

namespace sluice::stem4d {

void @Name@::add(Partial& p, std::span<store::Unit const> units) const {
    for (store::Unit const& u : units) {
        FrameValues values({u.first_frame, u.first_frame + u.frames}, 1, 1);
        sums.add(values, {&u, 1});
        for (double sum : values.values()) p += sum > above;
    }
}

Result<index> @name@(Scan const& scan, Detector const& detector, double above,
                     Options const& options) {
    Disk disk = options.disk.value_or(Disk{});
    if (needs_disk(detector) && !options.disk) {
        SLUICE_TRY(disk, find_disk(scan, options.device));
    }
    SLUICE_TRY(Array<float> const weights, rasterize(scan, detector, disk));
    Compiled const compiled = compile(weights, scan.bad_pixels());
    @Name@ const analysis{{{&compiled, 1}, options.device, scan.plan().frames()}, above};
    fold::FoldOptions const fold_options{
        .device = options.device,
        .need = blocks_needed({&compiled, 1}, scan.plan().grid()),
        .batch = @Name@::batch,
        .progress = options.progress,
        .trace = options.trace};
    return fold::fold(scan, analysis, fold_options);
}

}  // namespace sluice::stem4d

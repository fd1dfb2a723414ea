// The disks of every pattern, as one product of a pass over a scan.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/analyze/disks_product.h"

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/sample.h"
#include "domain/crystal/detect/scan_setup.h"
#include "scan/fold.h"

namespace sluice::crystal {

Result<std::unique_ptr<DisksProduct>> DisksProduct::make(Scan const& scan,
                                                         stem4d::DiskSetup const& setup,
                                                         stem4d::Options const& options) {
    std::unique_ptr<DisksProduct> made(new DisksProduct(setup, options));
    made->bad_ = weightless(scan);
    SLUICE_TRY(FinderSetup const own, setup_for(scan, made->setup_, made->bad_));
    SLUICE_TRY(made->finder_, Finder::make(own, options.device.host()));
    return made;
}

fold::AnyAnalysis<store::Unit> DisksProduct::analysis(Scan const& scan,
                                                      Device const& /*device*/) const {
    store::Plan const& plan = scan.plan();
    return FindDiskFrames{*finder_, plan.grid(), plan.frames(), plan.lost, rooms_};
}

Status DisksProduct::remote(stem4d::RemoteScan& /*remote*/, Scan const& scan,
                            std::any& found) const {
    store::Plan const& plan = scan.plan();
    FindDiskFrames const alone{*finder_, plan.grid(), plan.frames(), plan.lost, rooms_};
    fold::FoldOptions const fold{.device = options_.device.host(), .trace = options_.trace};
    fold::RunOptions run = fold::run_options(scan, fold);
    if (options_.progress)
        run.progress = [told = options_.progress, all = plan.tiles()](index units) {
            return told(static_cast<std::uint64_t>(units), static_cast<std::uint64_t>(all));
        };
    SLUICE_TRY(FindDiskFrames::Result patterns,
               fold::fold(fold::ScanUnits(scan, fold), alone, run));
    found = std::move(patterns);
    return {};
}

void DisksProduct::finish(std::any found, Scan const& scan, store::Tally const& /*tally*/,
                          stem4d::Options const& /*options*/, stem4d::Products& /*out*/) {
    store::Plan const& plan = scan.plan();
    vectors_ = collect(*std::any_cast<FindDiskFrames::Result>(&found), scan.scan_shape(),
                       {plan.stored.rows, plan.stored.cols}, stem4d::pixel_grid(scan));
}

}  // namespace sluice::crystal

// What every search over a scan begins with.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/disk_work.h"

#include "domain/crystal/detect/collect.h"
#include "domain/crystal/detect/sample.h"
#include "domain/crystal/detect/scan_setup.h"
#include "domain/crystal/memory.h"
#include "scan/fold.h"
#include "store/plan.h"

namespace sluice::crystal {

DiskWork::DiskWork(Scan const& scan, std::vector<std::uint8_t> bad, Finder finder,
                   stem4d::Options const& run)
    : scan_(scan),
      run_(run),
      bad_(std::move(bad)),
      finder_(std::move(finder)),
      fold_{.device = run.device.host(),
            .progress = run.progress,
            .trace = run.trace,
            .tally = &tally_},
      analysis_{finder_, scan.plan().grid(), scan.plan().frames(), scan.plan().lost, rooms_},
      units_(scan, fold_) {}

Result<std::unique_ptr<DiskWork>> DiskWork::begin(Scan const& scan, stem4d::DiskSetup const& setup,
                                                  stem4d::Options const& run) {
    SLUICE_CHECK(stem4d::refuse_references(run.references, "disks are"));
    auto bad = weightless(scan);
    SLUICE_TRY(FinderSetup const own, setup_for(scan, setup, bad));
    SLUICE_TRY(Finder finder, Finder::make(own, run.device.host()));
    std::unique_ptr<DiskWork> work(new DiskWork(scan, std::move(bad), std::move(finder), run));
    SLUICE_CHECK(check_memory(work->bytes(), "the rooms of the workers that find disks"));
    return work;
}

std::uint64_t DiskWork::bytes() const {
    return finder_.bytes() +
           static_cast<std::uint64_t>(run_.device.host().threads()) * finder_.room_bytes();
}

// A scan in memory has nothing to read: its progress is that of its units.
fold::RunOptions DiskWork::run_options() const {
    fold::RunOptions options = fold::run_options(scan_, fold_);
    if (run_.progress && scan_.resident())
        options.progress = [&run = run_, all = scan_.plan().tiles()](index units) {
            return run.progress(static_cast<std::uint64_t>(units), static_cast<std::uint64_t>(all));
        };
    return options;
}

stem4d::BraggVectors DiskWork::columns_of(std::span<FoundPattern const> patterns) const {
    auto const& stored = scan_.plan().stored;
    return collect(patterns, {1, std::ssize(patterns)}, {stored.rows, stored.cols},
                   stem4d::pixel_grid(scan_));
}

stem4d::BraggVectors DiskWork::columns_of_all(std::span<FoundPattern const> patterns) const {
    auto const& stored = scan_.plan().stored;
    return collect(patterns, scan_.scan_shape(), {stored.rows, stored.cols},
                   stem4d::pixel_grid(scan_));
}

}  // namespace sluice::crystal

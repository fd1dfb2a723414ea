// Everything that is asked of a scan, in one pass over its data.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/stem4d/work.h"
#include "scan/fold.h"
#include "store/plan.h"
#include "stream/together.h"

namespace sluice::stem4d {
namespace {

using All = stream::Together<SumFrames, MomentFrames, SumPlanes, SquarePlanes, AllStats>;

struct Work {
    std::optional<ImageWork> images = {};
    std::optional<MomentWork> moments = {};
    std::optional<PatternWork> patterns = {};
    store::Tally tally = {};
};

bool any_needs_disk(Wanted const& wanted) {
    return std::ranges::any_of(wanted.detectors, needs_disk) ||
           (wanted.center_of_mass && wanted.within && needs_disk(*wanted.within));
}

Result<Work> begin(Scan const& scan, Wanted const& wanted, Options const& options) {
    Work work;
    if (!wanted.detectors.empty()) {
        SLUICE_TRY(work.images, ImageWork::begin(scan, wanted.detectors, options));
    }
    if (wanted.center_of_mass) {
        SLUICE_TRY(work.moments, MomentWork::begin(scan, wanted.within, options));
    }
    if (!wanted.patterns.empty()) {
        SLUICE_TRY(work.patterns, PatternWork::begin(scan, wanted.patterns, wanted.take));
    }
    if (!work.images && !work.moments && !work.patterns)
        return Error{Code::invalid_argument,
                     "nothing is asked of the scan; ask for images, centres of mass or a pattern"};
    return work;
}

// What only some products look at can stay undecoded, if nobody else looks at it.
stream::FoldOptions fold_options(Scan const& scan, Work& work, Options const& options) {
    stream::FoldOptions fold{.device = options.device,
                             .batch = SumPlanes::batch,
                             .progress = options.progress,
                             .trace = options.trace,
                             .tally = &work.tally};
    if (work.images && !work.moments && !work.patterns) {
        fold.batch = SumFrames::batch;
        fold.need = work.images->need(scan);
    }
    if (work.moments && !work.images && !work.patterns) {
        fold.batch = MomentFrames::batch;
        fold.need = blocks_needed({&work.moments->compiled, 1}, scan.plan().grid());
    }
    if (!work.patterns) return fold;
    if (!work.patterns->by_sums(scan) && !work.patterns->by_squares(scan)) fold.batch = 1;
    if (!work.images && !work.moments)
        for (std::uint16_t const m : work.patterns->masks) fold.skip.push_back(m == 0);
    return fold;
}

All analysis_of(Scan const& scan, Work const& work, Options const& options) {
    planes::Grid const grid = scan.plan().grid();
    Device const& device = options.device;
    index const frames = scan.plan().frames();
    All all;
    if (work.images)
        std::get<0>(all.parts).emplace(SumFrames{work.images->compiled, device, frames});
    if (work.moments)
        std::get<1>(all.parts).emplace(MomentFrames{work.moments->compiled, device, grid, frames});
    if (!work.patterns) return all;
    PatternWork const& p = *work.patterns;
    if (p.by_sums(scan))
        std::get<2>(all.parts).emplace(SumPlanes{p.masks, device, grid});
    else if (p.by_squares(scan))
        std::get<3>(all.parts).emplace(SquarePlanes{p.masks, device, grid});
    else
        std::get<4>(all.parts).emplace(AllStats{p.masks, p.chosen, device, grid});
    return all;
}

}  // namespace

Result<Products> products(Scan const& scan, Wanted const& wanted, Options const& given) {
    Options options = given;
    if (any_needs_disk(wanted) && !options.disk) {
        SLUICE_TRY(options.disk, find_disk(scan, options.device));
    }
    SLUICE_TRY(Work work, begin(scan, wanted, options));
    std::vector<double> sums, moments;
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (remote) {
        Step const step(options.trace, Phase::fold, 0);
        if (work.images) {
            SLUICE_TRY(sums, work.images->remote(*remote, scan));
        }
        if (work.moments) {
            SLUICE_TRY(moments, work.moments->remote(*remote, scan));
        }
        if (work.patterns)
            SLUICE_CHECK(remote->pattern(work.patterns->chosen, work.patterns->stats));
    } else {
        SLUICE_TRY(All::Result found, stream::fold(scan, analysis_of(scan, work, options),
                                                   fold_options(scan, work, options)));
        auto& [of_images, of_moments, of_sums, of_squares, of_stats] = found;
        planes::Grid const grid = scan.plan().grid();
        if (of_images) sums = std::move(*of_images);
        if (of_moments) moments = std::move(*of_moments);
        if (of_sums) work.patterns->take(*of_sums, grid);
        if (of_squares) work.patterns->take_squares(*of_squares, grid);
        if (of_stats) work.patterns->stats = std::move(*of_stats);
    }
    Products out;
    if (work.images)
        out.images = std::move(*work.images).finish(std::move(sums), scan, work.tally, options);
    if (work.moments)
        out.center_of_mass = std::move(*work.moments).finish(moments, scan, work.tally);
    if (work.patterns) out.patterns = work.patterns->finish(scan, work.tally);
    return out;
}

}  // namespace sluice::stem4d

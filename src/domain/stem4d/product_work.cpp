// What products() and ProductParts share.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/product_work.h"

#include <algorithm>

#include "store/plan.h"

namespace sluice::stem4d {
namespace {

bool any_needs_disk(Wanted const& wanted) {
    return std::ranges::any_of(wanted.detectors, needs_disk) ||
           (wanted.center_of_mass && wanted.within && needs_disk(*wanted.within));
}

}  // namespace

Result<ProductWork> ProductWork::begin(Scan const& scan, Wanted const& wanted, Options& options) {
    if (any_needs_disk(wanted) && !options.disk) {
        SLUICE_TRY(options.disk, find_disk(scan, options.device));
    }
    ProductWork work;
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

fold::FoldOptions ProductWork::fold_options(Scan const& scan, Options const& options) {
    fold::FoldOptions fold{.device = options.device,
                             .batch = SumPlanes::batch,
                             .progress = options.progress,
                             .trace = options.trace,
                             .tally = &tally};
    if (images && !moments && !patterns) {
        fold.batch = SumFrames::batch;
        fold.need = images->need(scan);
    }
    if (moments && !images && !patterns) {
        fold.batch = MomentFrames::batch;
        fold.need = blocks_needed({&moments->compiled, 1}, scan.plan().grid());
    }
    if (!patterns) return fold;
    if (!patterns->by_sums(scan) && !patterns->by_squares(scan)) fold.batch = 1;
    if (!images && !moments)
        for (std::uint16_t const m : patterns->masks) fold.skip.push_back(m == 0);
    return fold;
}

AllProducts ProductWork::analysis(Scan const& scan, Options const& options) const {
    planes::Grid const grid = scan.plan().grid();
    Device const& device = options.device;
    index const frames = scan.plan().frames();
    AllProducts all;
    if (images) std::get<0>(all.parts).emplace(SumFrames{images->compiled, device, frames});
    if (moments)
        std::get<1>(all.parts).emplace(MomentFrames{moments->compiled, device, grid, frames});
    if (!patterns) return all;
    PatternWork const& p = *patterns;
    if (p.by_sums(scan))
        std::get<2>(all.parts).emplace(SumPlanes{p.masks, device, grid});
    else if (p.by_squares(scan))
        std::get<3>(all.parts).emplace(SquarePlanes{p.masks, device, grid});
    else
        std::get<4>(all.parts).emplace(AllStats{p.masks, p.chosen, device, grid});
    return all;
}

Products ProductWork::finish(AllProducts::Result&& found, Scan const& scan,
                             Options const& options) && {
    auto& [of_images, of_moments, of_sums, of_squares, of_stats] = found;
    planes::Grid const grid = scan.plan().grid();
    if (of_sums) patterns->take(*of_sums, grid);
    if (of_squares) patterns->take_squares(*of_squares, grid);
    if (of_stats) patterns->stats = std::move(*of_stats);
    std::vector<double> sums, moments_found;
    if (of_images) sums = std::move(*of_images);
    if (of_moments) moments_found = std::move(*of_moments);
    return std::move(*this).finish(std::move(sums), moments_found, scan, options);
}

Products ProductWork::finish(std::vector<double> sums, std::vector<double> const& moments_found,
                             Scan const& scan, Options const& options) && {
    Products out;
    if (images) out.images = std::move(*images).finish(std::move(sums), scan, tally, options);
    if (moments) out.center_of_mass = std::move(*moments).finish(moments_found, scan, tally);
    if (patterns) out.patterns = patterns->finish(scan, tally);
    return out;
}

}  // namespace sluice::stem4d

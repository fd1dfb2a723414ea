// What products() and ProductParts share: the work before the pass over the data, the analysis that
// makes the pass, and what becomes of its answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/work.h"
#include "scan/fold.h"
#include "fold/together.h"

namespace sluice::stem4d {

using AllProducts = fold::Together<SumFrames, MomentFrames, SumPlanes, SquarePlanes, AllStats>;

struct ProductWork {
    std::optional<ImageWork> images = {};
    std::optional<MomentWork> moments = {};
    std::optional<PatternWork> patterns = {};
    store::Tally tally = {};

    /// `options.disk` receives the disk where one is needed and none is given.
    static Result<ProductWork> begin(Scan const& scan, Wanted const& wanted, Options& options);
    /// What only some products look at stays undecoded. They refer to the tally.
    fold::FoldOptions fold_options(Scan const& scan, Options const& options);
    /// It refers to this work.
    AllProducts analysis(Scan const& scan, Options const& options) const;
    Products finish(AllProducts::Result&& found, Scan const& scan, Options const& options) &&;
    Products finish(std::vector<double> sums, std::vector<double> const& moments_found,
                    Scan const& scan, Options const& options) &&;
};

}  // namespace sluice::stem4d

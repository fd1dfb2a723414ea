// What products() and analyze() share, at once and in parts: the products, their one analysis, and
// its answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/product.h"
#include "fold/together.h"
#include "scan/fold.h"

namespace sluice::stem4d {

using AllProducts = fold::Together<store::Unit>;

/// What may answer in place of the pass over frames.
enum class Shortcuts {
    none,
    lines,  ///< planes that are turned by frames
    all,    ///< these, the scan's tables, and what was counted before
};

struct ProductWork {
    ProductList list = {};
    store::Tally tally = {};

    /// `options.disk` receives the disk where one is needed and none is given.
    static Result<ProductWork> begin(Scan const& scan, Wanted const& wanted, Options& options);
    /// What only some products look at stays undecoded. They refer to the tally.
    fold::FoldOptions fold_options(Scan const& scan, Options const& options);
    /// It refers to the products.
    AllProducts analysis(Scan const& scan, Options const& options) const;
    /// The pass: what each product found, in their order. What shortcuts give needs none.
    Result<AllProducts::Result> run(Scan const& scan, Options const& options,
                                    Shortcuts shortcuts = Shortcuts::all);
    Products finish(AllProducts::Result&& found, Scan const& scan, Options const& options) &&;

  private:
    Result<AllProducts::Result> run_here(Scan const& scan, Options const& options,
                                         Shortcuts shortcuts);
};

}  // namespace sluice::stem4d

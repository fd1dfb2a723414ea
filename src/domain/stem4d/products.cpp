// Everything that is asked of a scan, in one pass over its data.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/product_work.h"

namespace sluice::stem4d {

Result<Products> products(Scan const& scan, Wanted const& wanted, Options const& given) {
    Options options = given;
    SLUICE_TRY(ProductWork work, ProductWork::begin(scan, wanted, options));
    SLUICE_TRY(auto remote, RemoteScan::on(scan, options.device));
    if (!remote) {
        AllProducts const analysis = work.analysis(scan, options);
        SLUICE_TRY(AllProducts::Result found,
                   fold::fold(scan, analysis, work.fold_options(scan, options)));
        return std::move(work).finish(std::move(found), scan, options);
    }
    Step step(options.trace, Phase::fold, 0);
    AllProducts::Result found(work.list.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        SLUICE_CHECK(work.list[i]->remote(*remote, scan, found[i]));
    return std::move(work).finish(std::move(found), scan, options);
}

}  // namespace sluice::stem4d

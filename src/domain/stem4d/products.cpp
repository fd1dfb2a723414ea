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
    std::vector<double> sums, moments;
    if (work.images) {
        SLUICE_TRY(sums, work.images->remote(*remote, scan));
    }
    if (work.moments) {
        SLUICE_TRY(moments, work.moments->remote(*remote, scan));
    }
    if (work.patterns) SLUICE_CHECK(remote->pattern(work.patterns->chosen, work.patterns->stats));
    return std::move(work).finish(std::move(sums), moments, scan, options);
}

}  // namespace sluice::stem4d

// Everything that is asked of a scan, in one pass over its data.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/product_work.h"

namespace sluice::stem4d {

Result<Products> products(Scan const& scan, Wanted const& wanted, Options const& given) {
    Options options = given;
    SLUICE_TRY(ProductWork work, ProductWork::begin(scan, wanted, options));
    SLUICE_TRY(AllProducts::Result found, work.run(scan, options));
    return std::move(work).finish(std::move(found), scan, options);
}

}  // namespace sluice::stem4d

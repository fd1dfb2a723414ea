// FiveUnits: a source of units without a scan, for fuzz targets of packed parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fold/items.h"
#include "store/unit.h"

namespace sluice {

/// In groups of two, as ScanUnits has them.
struct FiveUnits {
    static constexpr index frames = 75;

    using Item = store::Unit;
    struct Reader {
        Result<fold::Batch<Item>> read(fold::Range items) {
            return fold::Batch<Item>{{}, items.last};
        }
    };
    index groups() const { return 3; }
    fold::Range group(index g) const { return {2 * g, std::min<index>(2 * g + 2, 5)}; }
    Reader reader(int) const { return {}; }
    void retire(Reader const&) const {}
};

}  // namespace sluice

// Scans: what the table of formats opens.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "format/kinds/kinds.h"
#include "format/table.h"

namespace sluice {
namespace {

bool is_scan(Look const& look) {
    bool const folder = look.is_folder();
    bool const known = std::ranges::any_of(formats(), [&](Format const& f) {
        return f.folders == folder && f.recognises(look.path(), look.head());
    });
    return known || (folder && list_members(look.path()).has_value());
}

}  // namespace

constinit ContentKind const kinds::scan{"scan", "4D-STEM scan", "",
                                        "`sluice info`, `sluice view` and `sluice stem4d` read it",
                                        is_scan};

}  // namespace sluice

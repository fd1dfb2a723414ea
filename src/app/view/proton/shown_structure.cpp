// What of a structure can be drawn.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/shown_structure.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::app {

void add_structures(StructureSet set, std::vector<ShownStructure>& all) {
    for (Structure& s : set.structures) {
        ShownStructure shown{fmt::format("s{}", all.size() + 1), std::move(s)};
        shown.volume_cm3 = volume_cm3(shown.structure);
        auto stack = dicom::solid_of(shown.structure);
        if (stack)
            shown.stack = *std::move(stack);
        else
            shown.why = stack.error().message;
        all.push_back(std::move(shown));
    }
}

Json describe(ShownStructure const& s) {
    return {{"id", s.id},
            {"name", s.structure.name},
            {"type", s.structure.type},
            {"volume_cm3", std::isfinite(s.volume_cm3) ? Json(s.volume_cm3) : Json(nullptr)},
            {"why", s.why}};
}

}  // namespace sluice::app

// The volume of a structure: areas of its contours, slab by slab.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "format/dicom/structure_stack.h"

namespace sluice {

double volume_cm3(Structure const& s) {
    if (s.contours.empty()) return 0;
    double mm3 = 0;
    for (dicom::Slab const& slab : dicom::stack_of(s).slabs) {
        auto const area = dicom::area_of(slab);
        if (!area) return std::numeric_limits<double>::quiet_NaN();
        mm3 += *area * (slab.to - slab.from);
    }
    constexpr double mm3_in_cm3 = 1000;
    return mm3 / mm3_in_cm3;
}

}  // namespace sluice

// Energy in cells as dose.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/physics/constants.h"
#include "sluice/proton_run.h"

namespace sluice::proton {

Array<float> dose_of(Config const& c, MarchResult const& r, double protons) {
    Array<float> out{{r.planes, r.columns}, {}};
    for (index k = 0; k < r.planes; ++k)
        for (index i = 0; i < r.columns; ++i) {
            double const e = r.deposit[static_cast<std::size_t>(k * r.columns + i)] / protons;
            double const mass = c.phantom.at(k, i).density * r.dz * r.dx;
            out.values.push_back(static_cast<float>(mass > 0 ? e * gray_mm2 / mass : 0));
        }
    return out;
}

}  // namespace sluice::proton

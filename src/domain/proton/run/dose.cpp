// Energy in cells as dose.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_run.h"

namespace sluice::proton {

Array<float> dose_of(Config const& c, MarchResult const& r, double protons) {
    constexpr double joule_per_mev = 1.602176634e-13, kg_per_mm3 = 1e-6;
    Array<float> out{{r.planes, r.columns}, {}};
    for (index k = 0; k < r.planes; ++k)
        for (index i = 0; i < r.columns; ++i) {
            double const e = r.deposit[static_cast<std::size_t>(k * r.columns + i)] / protons;
            double const mass = c.phantom.at(k, i).density * kg_per_mm3 * r.dz * r.dx;
            out.values.push_back(static_cast<float>(mass > 0 ? e * joule_per_mev / mass : 0));
        }
    return out;
}

}  // namespace sluice::proton

// The keys of a spread-out peak.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/proton/config/beams.h"

namespace sluice::proton {

Result<SobpPlan> read_sobp(Table sobp) {
    SobpPlan p;
    double layers = 0;
    SLUICE_CHECK(sobp.need("range"));
    SLUICE_CHECK(sobp.need("modulation"));
    SLUICE_CHECK(sobp.quantity("range", Dimension::length, p.range));
    SLUICE_CHECK(sobp.quantity("modulation", Dimension::length, p.modulation));
    SLUICE_CHECK(sobp.quantity("spacing", Dimension::length, p.spacing));
    SLUICE_CHECK(sobp.number("layers", layers));
    if (sobp.find("layers") && !(layers >= 2 && layers <= 500 && layers == std::floor(layers)))
        return sobp.error(
            fmt::format("sobp.layers is {}; give a whole number from 2 to 500", layers));
    p.layers = static_cast<index>(layers);
    SLUICE_TRY(BeamNumbers n, read_beam_keys(sobp, false));
    SLUICE_CHECK(sobp.nothing_else());
    // The layers have energies of their own.
    n[0] = 100;
    auto const b = beam_of(n);
    if (!b) return sobp.error("sobp has " + b.error().message);
    p.beam = *b;
    return p;
}

}  // namespace sluice::proton

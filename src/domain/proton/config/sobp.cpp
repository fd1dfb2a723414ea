// [[sobp]]: the plan of a spread-out peak.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/beams.h"

namespace sluice::proton {

Result<SobpPlan> read_sobp(Table sobp) {
    SobpPlan p;
    SLUICE_CHECK(read_fields(sobp, sobp_fields(), p));
    // The layers have energies of their own.
    BeamKeys keys{.energy = 100};
    SLUICE_CHECK(read_fields(sobp, beam_fields().subspan(1), keys));
    SLUICE_CHECK(sobp.nothing_else());
    auto const b = beam_of(keys);
    if (!b) return sobp.error("sobp has " + b.error().message);
    p.beam = *b;
    return p;
}

}  // namespace sluice::proton

// Fuzz target: any dataset as an RT ion plan, and the list of what it is.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/proton/plan/dicom.h"
#include "format/dicom/packed.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const d = dicom::unpack(std::as_bytes(std::span(data, size)));
    if (!d) return 0;
    proton::PlanDefaults const lenient{{2000}, {5}, 40.0, 200.0, "HFS", true};
    for (proton::PlanDefaults const& defaults : {proton::PlanDefaults(), lenient}) {
        auto const plan = proton::plan_of(*d, "f", defaults);
        if (!plan) continue;
        expects(!plan->beams.empty() && plan->spots() > 0);
        for (proton::IonBeam const& b : plan->beams)
            for (proton::PlanLayer const& l : b.layers)
                for (proton::PlanSpot const& s : l.spots) expects(s.meterset >= 0);
        (void)proton::plan_list(*plan);
    }
    return 0;
}

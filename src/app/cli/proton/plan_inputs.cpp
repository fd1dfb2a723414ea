// Reads what a dose is computed of.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/plan_inputs.h"

#include "base/of_file.h"
#include "sluice/dicom.h"
#include "sluice/load_volume.h"

namespace sluice::cli {

void PlanFiles::add(Verb const& app, bool needs_ct) {
    auto const image = app.add_option("--ct", ct, "a CT series (its folder), MetaImage or NRRD");
    if (needs_ct) image.required();
    app.add_option("--machine", machine,
                   "what the beam line makes of spots: TOML, matRad's .mat, MCsquare's model");
    app.add_option("--structures", structures, "an RT structure set, for EXTERNAL and overrides");
}

Result<PlanInputs> PlanFiles::read() const {
    PlanInputs in;
    SLUICE_TRY(in.plan, proton::read_plan(plan, defaults));
    if (!machine.empty()) {
        SLUICE_TRY(in.machine, proton::read_machine(machine));
    }
    if (!structures.empty()) {
        SLUICE_TRY(in.structures, load_structures(structures));
        SLUICE_CHECK(
            of_file(structures, same_coordinates(in.plan, in.structures->frame_of_reference)));
    }
    SLUICE_TRY(std::string const frame, frame_of_reference(ct));
    SLUICE_CHECK(of_file(ct, proton::same_coordinates(in.plan, frame)));
    SLUICE_TRY(Volume const image, load_volume(ct));
    SLUICE_TRY(
        in.patient,
        of_file(ct, proton::patient_of(image, patient, in.structures ? &*in.structures : nullptr)));
    return in;
}

}  // namespace sluice::cli

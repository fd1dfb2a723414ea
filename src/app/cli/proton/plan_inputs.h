// What a dose is computed of: a plan, a CT, and what belongs to them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "app/cli/shell/verb.h"
#include "sluice/proton_dose.h"

namespace sluice::cli {

/// What came in.
struct PlanInputs {
    proton::IonPlan plan;
    proton::Patient patient;
    std::optional<proton::Machine> machine;
    std::optional<StructureSet> structures;

    proton::Machine const* machine_or_none() const { return machine ? &*machine : nullptr; }
};

/// Which files, and how they are read.
struct PlanFiles {
    std::string plan, ct, structures, machine;
    proton::PlanDefaults defaults;
    proton::PatientOptions patient;

    /// All but the plan itself and the tables of fields.
    void add(Verb const& app, bool needs_ct = true);
    Result<PlanInputs> read() const;
};

}  // namespace sluice::cli

// The tables of a plan's dose: options of the command line and of Python.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/proton_dose.h"
#include "sluice/proton_plan.h"
#include "sluice/proton_target.h"

namespace sluice::proton {

config::Fields<PatientOptions> patient_fields();
config::Fields<DoseOptions> dose_fields();
/// What a plan may lack.
config::Fields<PlanDefaults> plan_default_fields();
/// All but the beams' angles.
config::Fields<TargetOptions> target_fields();

}  // namespace sluice::proton

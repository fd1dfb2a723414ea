// RT ion plans as plans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "format/dicom/values.h"
#include "sluice/proton_plan.h"

namespace sluice::proton {

Result<IonPlan> plan_of(dicom::Dataset const& dataset, std::string const& file,
                        PlanDefaults const& defaults);

/// One or two numbers for x and y.
std::optional<std::array<double, 2>> both(std::vector<double> const& given);
Status check_defaults(PlanDefaults const& defaults);
bool is_position(std::string_view patient_position);

/// A note of a plan that is only looked at.
std::string to_be_given(dicom::Values const& v, dicom::Tag tag, std::string_view names);

/// A beam with the layers of its control points. `meterset`: of the beam, in the plan's unit.
Result<IonBeam> read_beam(dicom::Values const& beam, double meterset, PlanDefaults const& defaults,
                          std::vector<std::string>& notes);
/// Its layers: control points whose spots have weights.
Status read_layers(dicom::Values const& beam, double meterset, PlanDefaults const& defaults,
                   IonBeam& into, std::vector<std::string>& notes);

}  // namespace sluice::proton

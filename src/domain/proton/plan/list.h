// The columns of lists of spots: one table for reading and writing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sluice/proton_plan.h"

namespace sluice::proton {

/// What one line says; the plan's and the beam's values are the same in all of their lines.
struct PlanLine {
    IonPlan const* plan = nullptr;
    IonBeam beam = {};     ///< without layers
    PlanLayer layer = {};  ///< without spots
    index layer_number = 0;
    PlanSpot spot;
    std::string label, patient_position;
    int fractions = 1;
};

struct PlanColumn {
    std::string_view name;
    bool needed = false;
    /// Whether the text is such a value.
    bool (*read)(std::string_view text, PlanLine& into) = nullptr;
    std::string (*text)(PlanLine const& of) = nullptr;
};
std::span<PlanColumn const> plan_columns();

}  // namespace sluice::proton

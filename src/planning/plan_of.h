// What all plans share: their beginning, and whether they fit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/plan.h"

namespace sluice::planning {

/// Where nothing is advised.
constexpr std::string_view fits_as_it_is = "It fits; nothing needs to be changed.";

/// A plan of a subject, whose first part is this process as it is.
WorkPlan begin_plan(PlanTask task, std::string subject, std::uint64_t base);
/// Adds a part to the peak.
void add_part(WorkPlan& plan, std::string name, std::uint64_t bytes, std::string basis);
/// The time that the program took to begin; none where that is not known.
void add_begun(WorkPlan& plan, double begun_s);
/// Whether all parts fit; `advice` is what helps where they do not.
void finish_plan(WorkPlan& plan, std::uint64_t base, std::vector<std::string> advice);

}  // namespace sluice::planning

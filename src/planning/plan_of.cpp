// Adds parts and steps up.
// SPDX-License-Identifier: Apache-2.0
#include "planning/plan_of.h"

#include "base/memory.h"
#include "planning/measure.h"

namespace sluice::planning {

WorkPlan begin_plan(PlanTask task, std::string subject, std::uint64_t base) {
    WorkPlan plan;
    plan.task = task;
    plan.subject = std::move(subject);
    plan.available = memory_available();
    add_part(plan, "the program", base, "this process now");
    return plan;
}

void add_part(WorkPlan& plan, std::string name, std::uint64_t bytes, std::string basis) {
    plan.parts.push_back({std::move(name), bytes, std::move(basis), true});
    plan.peak += bytes;
}

void add_begun(WorkPlan& plan, double begun_s) {
    if (begun_s <= 0) return;
    PlanTime begun = time_of({begun_s}, 1, 0, "beginning and opening");
    begun.low_s = begun_s / 2, begun.high_s = 3 * begun_s;
    plan.steps.push_back(std::move(begun));
}

void finish_plan(WorkPlan& plan, std::uint64_t base, std::vector<std::string> advice) {
    plan.fits = plan.peak <= plan.available + base;
    if (!plan.steps.empty()) plan.time = sum_of(plan.steps);
    if (plan.fits)
        plan.advice.emplace_back(fits_as_it_is);
    else
        for (std::string& text : advice) plan.advice.push_back(std::move(text));
}

}  // namespace sluice::planning

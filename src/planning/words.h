// The words of tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/words.h"
#include "sluice/plan.h"

namespace sluice {

constexpr auto words(PlanTask) {
    return std::to_array<config::Word<PlanTask>>({{"load", PlanTask::load},
                                                  {"images", PlanTask::images},
                                                  {"ptychography", PlanTask::ptychography}});
}

}  // namespace sluice

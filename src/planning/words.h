// The words of tasks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/words.h"
#include "sluice/plan.h"

namespace sluice {

constexpr auto words(PlanTask) {
    return std::to_array<config::Word<PlanTask>>({{"load", PlanTask::load},
                                                  {"images", PlanTask::images},
                                                  {"disks", PlanTask::disks},
                                                  {"strain", PlanTask::strain},
                                                  {"orientation", PlanTask::orientation},
                                                  {"ptychography", PlanTask::ptychography},
                                                  {"convert", PlanTask::convert},
                                                  {"dose", PlanTask::dose},
                                                  {"separate", PlanTask::separate}});
}

}  // namespace sluice

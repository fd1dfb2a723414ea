// What `sluice plan --devices` says of GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/outputs.h"
#include "sluice/plan.h"

namespace sluice::cli {

/// null where the work cannot run on one.
Json devices_to_json(WorkPlan const& plan);
void print_devices(WorkPlan const& plan);

}  // namespace sluice::cli

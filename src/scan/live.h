// What is different for a scan while it is measured.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/load.h"
#include "store/plan.h"

namespace sluice {

/// Refuses what samples a scan before it is read: there is nothing to sample yet. `kept`: its
/// frames stay in memory.
Status check_live(Dataset const& dataset, LoadOptions const& options, bool kept);
/// Frames that the feed gave up until now are not measured.
void settle(store::Plan& plan, Dataset& dataset, Feed const& feed);

}  // namespace sluice
